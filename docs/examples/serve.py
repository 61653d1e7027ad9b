"""How much memory models need, asked from Python: `python3 serve.py` runs `npx plimsoll serve --stdio`; words run another command."""

import json
import subprocess
import sys


class Plimsoll:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        self.asked = 0

    def ask(self, verb, request):
        self.asked += 1
        self.process.stdin.write(json.dumps({"id": self.asked, "verb": verb, "request": request}) + "\n")
        self.process.stdin.flush()
        answer = json.loads(self.process.stdout.readline())
        if "error" in answer:
            raise ValueError(f"{answer['error']['what']} ({answer['error'].get('hint', '')})")
        return answer["reply"]


plimsoll = Plimsoll(sys.argv[1:] or ["npx", "plimsoll", "serve", "--stdio"])
for model in ["llama-3-8b", "no-such-model"]:
    request = {"model": {"preset": model}, "device": {"preset": "rtx-4090"}, "inference": {"context": 8192}}
    try:
        reply = plimsoll.ask("estimate", request)
        print(f"{model}: {reply['total']['process']['bytes'] / 2**30:.2f} GiB, {reply['fit']['verdict']}")
        print(f"longest context: {plimsoll.ask('solve', {'request': request, 'find': 'inference.context'})['value']:,} tokens")
    except ValueError as error:
        print(f"{model}: {error}")
