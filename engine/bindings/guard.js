// Compiled to WebAssembly the engine knows no C++ exceptions: they would be a seventh of its bytes. What throws natively
// traps here, as a failed assertion does; here it becomes the reply that api.cpp writes then. Goes into the glue of each module.
Module['onRuntimeInitialized'] = () => {
  for (const name of ['provide', 'estimate', 'sweep', 'solve', 'plan', 'inspect', 'reconcile']) {
    const ask = Module[name];
    if (!ask) continue; // not of this module
    Module[name] = (text) => {
      const stack = stackSave();
      try {
        return ask(text);
      } catch (defect) {
        if (!(defect instanceof WebAssembly.RuntimeError)) throw defect;
        stackRestore(stack);
        const where = name === 'provide' ? 'presets' : '';
        const hint = 'please report this with the input that caused it';
        return JSON.stringify({ schema: 1, error: { code: 'internal', where, what: defect.message, hint } });
      }
    };
  }
};
