/** Writes the pages that are made from the lists; the same lists and tests give the same bytes. */
const made = '<!-- Made by `node scripts/controls.mjs --write`. Do not edit. -->'
const states = ['enforced', 'partial', 'planned', 'operator']

/** @param titles of all files, with the titles around each */
export function controlsPage(controls, titles) {
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
`
}

function proofs(id, titles) {
  const counts = new Map()
  for (const { file, kind, ids, withinIds } of titles)
    if (kind === 'test' && (ids.includes(id) || withinIds.includes(id))) counts.set(file, (counts.get(file) ?? 0) + 1)
  const files = [...counts].sort(([left], [right]) => (left < right ? -1 : 1))
  return files.map(([file, count]) => `[${file.split('/').slice(-2).join('/')}](../../${file}) ${count}`).join('<br>')
}
