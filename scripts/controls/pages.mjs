/** Writes the pages that are made from the lists; the same lists and tests give the same bytes. */
import { chapterOf, chapters, verdicts } from './asvs.mjs'

const made = '<!-- Made by `node scripts/controls.mjs --write`. Do not edit. -->'
const states = ['enforced', 'partial', 'planned', 'operator']

/**
 * @param titles of all files, with the titles around each
 * @param matrices what tests make for themselves, and how much of it at least
 */
export function controlsPage(controls, titles, matrices = []) {
  const count = (state) => controls.filter((control) => control.state === state).length
  const rows = controls.map((control) => {
    const { id, title, promise, state, missing = '' } = control
    return `| ${id} | **${title}.** ${promise} | ${state} | ${missing} | ${proofs(id, titles)} |`
  })
  return `${made}
# Security controls

What Parapet promises, and the tests that fail when a promise is broken: a test carries the id of each control it proves
at the front of its title. \`node scripts/controls.mjs\` holds this list against the titles, and in CI against the tests
that ran, both ways. A number behind a file counts tests as they are written; a table of cases is one.

${states.map((state) => `${count(state)} ${state}`).join(', ')}. *Partial*: what there is has tests, and something is missing.
*Planned*: not there yet. *Operator*: for those who run Parapet to do.

| Id | Promise | State | What is missing | Proven by |
|---|---|---|---|---|
${rows.join('\n')}
${matricesPart(matrices)}`
}

function matricesPart(matrices) {
  if (matrices.length === 0) return ''
  const rows = matrices.map(({ name, controls, least }) => `| ${name} | ${controls.join(' ')} | ${least} |`)
  return `
## Made from the declarations

What suites make for themselves, from routes, tables and schemas or as lists, and how much there is in every run at
least: a suite that makes less fails.

| What | Proves | At least |
|---|---|---|
${rows.join('\n')}
`
}

function proofs(id, titles) {
  const counts = new Map()
  for (const { file, kind, ids, withinIds } of titles)
    if (kind === 'test' && (ids.includes(id) || withinIds.includes(id))) counts.set(file, (counts.get(file) ?? 0) + 1)
  const files = [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
  return files.map(([file, count]) => `[${file.split('/').slice(-2).join('/')}](../../${file}) ${count}`).join('<br>')
}

export function asvsPage(requirements) {
  const row = (label, list) =>
    `| ${label} | ${list.length} | ${verdicts.map((verdict) => list.filter((one) => one.verdict === verdict).length).join(' | ')} |`
  const rows = chapters.map(([name], index) =>
    row(
      `V${index + 1} ${name}`,
      requirements.filter(({ id }) => chapterOf(id) === index + 1),
    ),
  )
  const open = (verdict) =>
    requirements
      .filter((one) => one.verdict === verdict)
      .map(({ id, level, topic, why }) => `| ${id} | ${level} | ${topic} | ${why} |`)
      .join('\n')
  return `${made}
# OWASP ASVS 5.0.0, level 2

Our own verdict on each requirement of levels 1 and 2; WebRTC (V17) is left out, because Parapet has none. The verdicts,
their evidence and their reasons are in [asvs-5.0-level-2.json](asvs-5.0-level-2.json); the requirements themselves are
OWASP's. *Operator*: for those who run Parapet to do. *Not assessed*: nobody has looked closely enough to say.

| Chapter | Requirements | ${verdicts.map((verdict) => verdict[0].toUpperCase() + verdict.slice(1)).join(' | ')} |
|---|---${'|---'.repeat(verdicts.length)}|
${rows.join('\n')}
${row('**All**', requirements)}

## Not met

| Requirement | Level | Topic | Why |
|---|---|---|---|
${open('not met')}

## Partly met

| Requirement | Level | Topic | Why |
|---|---|---|---|
${open('partly')}
`
}
