// Completion scripts of three shells: each lays out the same table.

/** @typedef {import('../commands/completing.mjs').Completed} Completed */

/** Within single quotes nothing means anything but a quote. */
const quoted = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

/** Options with values, each once, since an option means the same in every command: with known ones, and with any. @param {readonly Completed[]} commands */
function valued(commands) {
  const all = commands.flatMap(({ options }) => options).filter(({ value }) => value);
  const each = [...new Map(all.map((option) => [option.name, option])).values()];
  const isKnown = ({ words, files }) => files || words.length > 0;
  return { known: each.filter(isKnown), free: each.filter((option) => !isKnown(option)) };
}

const flag = ({ name }) => `--${name}`;

/** @param {readonly Completed[]} commands @returns {string} */
export function bash(commands) {
  const { known, free } = valued(commands);
  const after = known.map(
    ({ name, words, files }) =>
      `    --${name}) COMPREPLY=($(compgen -W ${quoted(words.join(' '))} -- "$word")${files ? ' $(compgen -f -- "$word")' : ''}); return ;;`,
  );
  const options = commands.map(
    ({ name, options: own, words }) => `    ${name}) options=${quoted(own.map(flag).join(' '))} words=${quoted((words ?? []).join(' '))} ;;`,
  );
  return `# plimsoll completion bash: source <(plimsoll completion bash)
_plimsoll() {
  local word=\${COMP_WORDS[COMP_CWORD]} before=\${COMP_WORDS[COMP_CWORD-1]} options= words=
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then COMPREPLY=($(compgen -W ${quoted(commands.map(({ name }) => name).join(' '))} -- "$word")); return; fi
  case $before in
${after.join('\n')}
    ${free.map(flag).join('|')}) return ;;
  esac
  case \${COMP_WORDS[1]} in
${options.join('\n')}
  esac
  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$options" -- "$word"))
  elif [ -n "$words" ]; then COMPREPLY=($(compgen -W "$words" -- "$word"))
  else COMPREPLY=($(compgen -f -- "$word")); fi
}
complete -o filenames -F _plimsoll plimsoll`;
}

/** A line of `_describe`: its name ends at the first colon. */
const described = (name, help) => quoted(`${name.replaceAll(':', '\\:')}:${help}`);

/** @param {readonly Completed[]} commands @returns {string} */
export function zsh(commands) {
  const { known, free } = valued(commands);
  const after = known.map(
    ({ name, words, files }) => `    --${name}) compadd -- ${words.map(quoted).join(' ')}${files ? '; _files' : ''}; return ;;`,
  );
  const options = commands.map(({ name, options: own, words }) => {
    const lines = own.map((option) => `      ${described(flag(option), option.help)}`);
    return `    ${name})\n      options=(\n${lines.join('\n')}\n      )\n      words_of=(${(words ?? []).map(quoted).join(' ')}) ;;`;
  });
  return `#compdef plimsoll
# plimsoll completion zsh: source <(plimsoll completion zsh), or save it as _plimsoll in a folder of $fpath
_plimsoll() {
  local -a options words_of commands
  commands=(
${commands.map(({ name, help }) => `    ${described(name, help)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then _describe 'command' commands; return; fi
  case $words[CURRENT-1] in
${after.join('\n')}
    ${free.map(flag).join('|')}) return ;;
  esac
  case $words[2] in
${options.join('\n')}
  esac
  if [[ $PREFIX == -* ]]; then _describe 'option' options
  elif (( $#words_of )); then compadd -- $words_of
  else _files; fi
}
if [ "$funcstack[1]" = "_plimsoll" ]; then _plimsoll "$@"; else compdef _plimsoll plimsoll; fi`;
}

/** @param {readonly Completed[]} commands @returns {string} */
export function fish(commands) {
  const single = (text) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const names = commands.map(({ name }) => name).join(' ');
  const own = commands.map(({ name, help, words }) => [
    `complete -c plimsoll -n 'not __fish_seen_subcommand_from ${names}' -f -a ${name} -d ${single(help)}`,
    ...(words ? [`complete -c plimsoll -n '__fish_seen_subcommand_from ${name}' -f -a ${single(words.join(' '))}`] : []),
  ]);
  const options = commands.flatMap(({ name, options: all }) =>
    all.map(({ name: option, help, value, words, files }) => {
      const argument = files ? ' -r' : ' -x';
      const values = words.length > 0 ? ` -a ${single(words.join(' '))}` : '';
      const takes = value ? `${argument}${values}` : '';
      return `complete -c plimsoll -n '__fish_seen_subcommand_from ${name}' -l ${option}${takes} -d ${single(help)}`;
    }),
  );
  return ['# plimsoll completion fish: plimsoll completion fish | source', ...own.flat(), ...options].join('\n');
}
