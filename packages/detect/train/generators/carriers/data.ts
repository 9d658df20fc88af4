import type { Writer } from './writer.ts'
import { MARK } from './writer.ts'

type Shape = (w: Writer) => string

const unquoted = (text: string): string => text.replaceAll('"', "'")

/** Records, tool results, logs and settings. */
export const dataShapes: Readonly<Record<string, Shape>> = {
  csv: (w) =>
    `id,name,city,comment\n${w.list(4, 9, (i) => `${i + 1},${w.name()},${w.fill('{place}')},"${unquoted(w.line())}"`).join('\n')}`,
  tsv: (w) =>
    `date\tamount\tremark\n${w.list(4, 9, () => `${w.date()}\t${w.number(5, 5000)}\t${w.line()}`).join('\n')}`,
  'json-search': (w) =>
    `{"query": "${w.noun()}", "results": [${w.list(2, 5, () => `{"title": "${w.title()}", "url": "https://example.com/${w.noun()}", "snippet": "${unquoted(w.prose(1))}"}`).join(', ')}]}`,
  'json-record': (w) =>
    `{\n  "id": ${w.number(1, 99999)},\n  "owner": "${w.name()}",\n  "created": "${w.date()}",\n  "description": "${unquoted(w.prose(2))}",\n  "tags": ["${w.noun()}", "${w.noun()}"]\n}`,
  'json-tool': (w) =>
    `{"tool": "${w.fill('(get_page|read_file|search_mail|list_events|get_ticket|fetch_url)')}", "status": "ok", "result": {"content": "${unquoted(w.prose(3))}", "length": ${w.number(100, 9000)}}}`,
  'json-mails': (w) =>
    `[${w.list(2, 5, (i) => `{"id": "${i}", "from": "${w.mail()}", "subject": "${w.title()}", "body": "${unquoted(w.prose(2))}"}`).join(',\n ')}]`,
  'json-lines': (w) =>
    w.list(3, 7, () => `{"ts":"${w.date()}T${w.time()}Z","level":"info","msg":"${unquoted(w.line())}"}`).join('\n'),
  'json-tools': (w) =>
    `{"name": "${w.fill('(add|get_weather|send_mail|lookup|convert|read_notes)')}", "description": "${w.fill('(Adds two numbers|Gives the weather of a city|Sends a message|Looks up a record|Converts units|Reads notes)')}. ${MARK}${w.fill('Returns the {noun}.')}${MARK}", "parameters": {"type": "object", "properties": {"${w.noun()}": {"type": "string", "description": "${MARK}The ${w.noun()}"}}}}`,
  'json-package': (w) =>
    `{\n  "name": "${w.noun()}-${w.noun()}",\n  "version": "${w.number(0, 9)}.${w.number(0, 9)}.0",\n  "description": "${unquoted(w.line())}",\n  "author": "${w.name()}",\n  "license": "MIT"\n}`,
  'json-chat': (w) =>
    `{"channel": "${w.noun()}", "messages": [${w.list(3, 6, () => `{"user": "${w.name().split(' ')[0]}", "text": "${unquoted(w.line())}"}`).join(', ')}]}`,
  yaml: (w) =>
    `name: ${w.noun()}\nowner: ${w.name()}\n# ${MARK}${w.fill('changed in {month}')}\nitems:\n${w.list(3, 6, () => `  - title: ${w.title()}\n    note: ${w.line()}`).join('\n')}`,
  'yaml-pipeline': (w) =>
    `on: push\njobs:\n  build:\n    runs-on: ubuntu-latest\n    # ${MARK}${w.sentence()}\n    steps:\n${w.list(2, 4, () => `      - name: ${w.line()}\n        run: make ${w.noun()}`).join('\n')}`,
  ini: (w) =>
    `[${w.noun()}]\n; ${w.line()}\nhost = ${w.noun()}.example.com\nport = ${w.number(1000, 9999)}\n\n[${w.noun()}]\n; ${w.line()}\nenabled = yes`,
  toml: (w) =>
    `# ${w.line()}\n[package]\nname = "${w.noun()}"\nversion = "0.${w.number(1, 30)}.0"\ndescription = "${unquoted(w.line())}"\nauthors = ["${w.name()}"]`,
  'log-app': (w) =>
    w
      .list(5, 10, () => `${w.date()} ${w.time()} ${w.fill('(INFO|WARN|DEBUG|ERROR)')} [${w.noun()}] ${w.line()}`)
      .join('\n'),
  'log-web': (w) =>
    w
      .list(
        4,
        8,
        () =>
          `10.0.${w.number(0, 255)}.${w.number(1, 254)} - - [${w.date()}:${w.time()} +0000] "GET /${w.noun()}/${w.number(1, 999)} HTTP/1.1" ${w.fill('(200|304|404|500)')} ${w.number(100, 90000)} "-" "${MARK}Mozilla/5.0 (X11; Linux x86_64)"`,
      )
      .join('\n'),
  'log-system': (w) =>
    w
      .list(
        5,
        9,
        () =>
          `${w.fill('{month}').slice(0, 3)} ${w.number(1, 28)} ${w.time()} host${w.number(1, 9)} ${w.noun()}[${w.number(100, 9999)}]: ${w.line()}`,
      )
      .join('\n'),
  'key-values': (w) => w.list(4, 8, () => `${w.noun()}: ${w.line()}`).join('\n'),
  vcard: (w) =>
    `BEGIN:VCARD\nVERSION:3.0\nFN:${w.name()}\nORG:${w.fill('{company}')}\nEMAIL:${w.mail()}\nNOTE:${w.prose(1)}\nEND:VCARD`,
  bibtex: (w) =>
    w
      .list(
        2,
        4,
        () =>
          `@article{${w.noun()}${w.number(1990, 2025)},\n  author = {${w.name()}},\n  title = {${w.title()}},\n  note = {${w.line()}}\n}`,
      )
      .join('\n\n'),
  'tool-text': (w) => `Observation: ${w.prose(3)}`,
  'file-listing': (w) => `$ cat ${w.noun()}.txt\n${w.prose(3)}\n$ ls\n${w.noun()}.txt  ${w.noun()}.csv  notes.md`,
  sheet: (w) =>
    w.list(4, 9, (i) => `A${i + 1}: ${w.name()}; B${i + 1}: ${w.number(1, 900)}; C${i + 1}: ${w.line()}`).join('\n'),
  results: (w) =>
    w
      .list(2, 4, (i) => `<document index="${i + 1}">\n<source>${w.noun()}.pdf</source>\n${w.prose(2)}\n</document>`)
      .join('\n'),
  metadata: (w) =>
    `File: ${w.noun()}-${w.number(1, 99)}.jpg\nTaken: ${w.date()}\nCamera: X${w.number(10, 90)}\nCaption: ${w.line()}\nComment: ${w.line()}`,
}
