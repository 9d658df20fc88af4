import type { Writer } from './writer.ts'
import { MARK } from './writer.ts'

type Shape = (w: Writer) => string

/** Source code, diffs and shell sessions with slots in comments and strings. */
export const codeShapes: Readonly<Record<string, Shape>> = {
  python: (w) =>
    `"""${w.line()}"""\nimport json\n\n\ndef load_${w.noun()}(path):\n    # ${w.line()}\n    with open(path) as f:\n        data = json.load(f)\n    return data["${w.noun()}"]\n\n\ndef main():\n    # ${w.line()}\n    print(load_${w.noun()}("data.json"))`,
  javascript: (w) =>
    `// ${w.line()}\nexport function ${w.noun()}Total(items) {\n  /* ${w.line()} */\n  return items.reduce((sum, item) => sum + item.${w.noun()}, 0)\n}\n\nconst label = '${w.noun()}' // ${w.line()}`,
  java: (w) =>
    `/**\n * ${w.line()}\n * @author ${w.name()}\n */\npublic class ${w.noun()}Service {\n    // ${w.line()}\n    private int count = ${w.number(0, 90)};\n\n    public int next() {\n        return ++count;\n    }\n}`,
  sql: (w) =>
    `-- ${w.line()}\nselect ${w.noun()}, count(*)\nfrom ${w.noun()}s\nwhere created_at > '${w.date()}'\n-- ${w.line()}\ngroup by 1\norder by 2 desc;`,
  shell: (w) => `#!/bin/sh\n# ${w.line()}\nset -eu\n\nfor f in *.${w.noun()}; do\n  # ${w.line()}\n  echo "$f"\ndone`,
  go: (w) =>
    `// Package ${w.noun()} does one thing.\n// ${w.line()}\npackage ${w.noun()}\n\n// ${w.line()}\nfunc Count(items []string) int {\n\treturn len(items)\n}`,
  rust: (w) =>
    `//! ${w.line()}\n\n/// ${w.line()}\npub fn count(items: &[String]) -> usize {\n    items.len() // ${w.line()}\n}`,
  c: (w) =>
    `/* ${w.line()} */\n#include <stdio.h>\n\nint main(void) {\n    /* ${w.line()} */\n    printf("%d\\n", ${w.number(1, 90)});\n    return 0;\n}`,
  css: (w) =>
    `/* ${w.line()} */\n.${w.noun()} {\n  color: #${w.number(100, 999)};\n  margin: ${w.number(0, 40)}px;\n}\n/* ${w.line()} */`,
  dockerfile: (w) =>
    `# ${w.line()}\nFROM node:20-slim\nWORKDIR /app\nCOPY . .\n# ${w.line()}\nRUN npm ci\nCMD ["node", "${w.noun()}.js"]`,
  makefile: (w) =>
    `# ${w.line()}\nall: ${w.noun()}\n\n${w.noun()}:\n\t@echo "${w.noun()}"\n\n# ${w.line()}\nclean:\n\trm -f *.o`,
  diff: (w) =>
    `diff --git a/${w.noun()}.md b/${w.noun()}.md\n--- a/${w.noun()}.md\n+++ b/${w.noun()}.md\n@@ -1,4 +1,5 @@\n ${w.sentence()}\n-${w.sentence()}\n+${w.line()}\n+${w.line()}`,
  'git-log': (w) =>
    w
      .list(
        3,
        6,
        () =>
          `commit ${w.number(1000000, 9999999)}${w.number(100000, 999999)}\nAuthor: ${w.name()} <${w.mail()}>\n\n    ${w.line()}`,
      )
      .join('\n\n'),
  'pull-request': (w) =>
    `PR #${w.number(1, 900)}: ${w.title()}\n\n${w.prose(2)}\n\n> ${w.name()}: ${w.line()}\n> ${w.name()}: ${w.line()}\n\n- [x] tests\n- [ ] docs`,
  'stack-trace': (w) =>
    `Error: ${w.line()}\n    at load (/app/${w.noun()}.js:${w.number(1, 300)}:${w.number(1, 60)})\n    at main (/app/index.js:${w.number(1, 90)}:3)\n${w.line()}`,
  notebook: (w) =>
    `# %% [markdown]\n# ${w.line()}\n# %%\nimport pandas as pd\ndf = pd.read_csv("${w.noun()}.csv")\n# %% [markdown]\n# ${w.line()}\n# %%\ndf.describe()`,
  'man-page': (w) =>
    `NAME\n    ${w.noun()} - ${w.sentence()}\n\nSYNOPSIS\n    ${w.noun()} [OPTION]... FILE\n\nDESCRIPTION\n    ${w.prose(2)}\n\n    -v, --verbose\n        ${w.line()}${MARK}`,
}
