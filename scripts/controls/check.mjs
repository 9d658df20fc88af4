/**
 * Holds the list of security controls against the tests that claim to prove them: as they are written, and as they ran.
 * Every rule answers with sentences; none means that all is well. Tested in apps/server/test/docs/controls.test.ts.
 */
import { idsOf, namesElsewhere } from './titles.mjs'

const states = ['enforced', 'partial', 'planned', 'operator']
/** States in which a test has to prove what there is. */
const proven = new Set(['enforced', 'partial'])

/** Faults of the list itself. */
export function listFaults(controls) {
  const ids = controls.map(({ id }) => id)
  const sorted = [...new Set(ids)].sort()
  return [
    ...(ids.join() === sorted.join() ? [] : ['The controls are not each there once, in the order of their ids.']),
    ...controls.flatMap((control) => controlFaults(control).map((fault) => `${control.id}: ${fault}`)),
  ]
}

function controlFaults({ id, title, promise, state, missing }) {
  return [
    ...(/^C\d{2}$/.test(id) ? [] : ['is no id']),
    ...(isText(title) ? [] : ['has no title']),
    ...(isSentence(promise) ? [] : ['its promise is not one sentence']),
    ...(states.includes(state) ? [] : [`its state is none of ${states.join(', ')}`]),
    ...(state === 'enforced' && missing !== undefined ? ['is enforced and says that something is missing'] : []),
    ...(state === 'enforced' || isSentence(missing) ? [] : ['does not say in one sentence what is missing']),
  ]
}

/** Faults of the list of cases that tests make for themselves. */
export function matrixFaults(matrices, controls) {
  const known = new Set(controls.filter(({ state }) => proven.has(state)).map(({ id }) => id))
  const names = matrices.map(({ name }) => name)
  return [
    ...names.filter((name, index) => names.indexOf(name) !== index).map((name) => `${name}: is there twice.`),
    ...matrices.flatMap(({ name, controls: ids, least }) => [
      ...(Number.isInteger(least) && least > 0 ? [] : [`${name}: has no least size.`]),
      ...(ids.length > 0 ? [] : [`${name}: proves nothing.`]),
      ...ids.filter((id) => !known.has(id)).map((id) => `${name}: proves ${id}, which no test could.`),
    ]),
  ]
}

const isText = (value) => typeof value === 'string' && value.trim() !== ''
export const isSentence = (value) => isText(value) && /^[^\n|]+\.$/.test(value) && !/\. [A-Z]/.test(value)

/**
 * Faults of the titles as they are written.
 * @param titles of all files: `{ file, line, title, ids }`
 */
export function titleFaults(controls, titles) {
  const claimed = new Set(titles.flatMap(({ ids }) => ids))
  return [
    ...titles.flatMap(({ file, line, title }) =>
      claimFaults(controls, title).map((fault) => `${file}:${line} ${fault}`),
    ),
    ...controls
      .filter(({ id, state }) => proven.has(state) && !claimed.has(id))
      .map(({ id, state }) => `${id} is ${state} and no test names it.`),
  ]
}

function claimFaults(controls, title) {
  const stateOf = new Map(controls.map(({ id, state }) => [id, state]))
  return [
    ...idsOf(title)
      .filter((id) => !proven.has(stateOf.get(id)))
      .map((id) =>
        stateOf.has(id) ? `claims ${id}, which is ${stateOf.get(id)}.` : `names ${id}, which is no control.`,
      ),
    ...(namesElsewhere(title) ? [`names a control elsewhere than at its front: ${title}`] : []),
  ]
}

/**
 * Faults of the tests as they ran, in all reports together.
 * @param reports of vitest's JSON reporter
 * @param elsewhere files whose tests other runs hold, in whole or on another database; only their failures count here
 */
export function runFaults(controls, titles, reports, elsewhere = []) {
  const ran = resultsIn(reports)
  const passed = new Set([...ran.values()].filter(({ ok }) => ok).flatMap(({ ids }) => [...ids]))
  return [
    ...new Set([
      ...[...ran.values()].flatMap(({ parts, ids, ok, failed, file }) => [
        ...parts.flatMap((part) => claimFaults(controls, part).map((fault) => `A test that ran ${fault}`)),
        ...(ok || (!failed && isAmong(elsewhere, file))
          ? []
          : [`${[...ids].join(' ')}: passed in no report: ${parts.join(' > ')}`]),
      ]),
      ...controls
        .filter(({ id, state }) => proven.has(state) && !passed.has(id))
        .map(({ id, state }) => `${id} is ${state} and no test of it passed.`),
      ...unseen(
        titles.filter(({ file }) => !isAmong(elsewhere, file)),
        ran,
      ),
    ]),
  ]
}

/** @param file a path from the root of the repository, or absolute as reports have it */
const isAmong = (files, file) => files.some((one) => file === one || file.endsWith(`/${one}`))

/** Each test with an id, by its file and name, and whether it passed anywhere. */
function resultsIn(reports) {
  const ran = new Map()
  for (const { testResults } of reports)
    for (const { name, assertionResults } of testResults)
      for (const { ancestorTitles, title, status } of assertionResults) {
        const parts = [...ancestorTitles, title]
        const ids = new Set(parts.flatMap(idsOf))
        if (ids.size === 0) continue
        const key = [name, ...parts].join('\n')
        const before = ran.get(key)
        const ok = status === 'passed' || before?.ok === true
        ran.set(key, { parts, ids, ok, failed: status === 'failed' || before?.failed === true, file: name })
      }
  return ran
}

/** Titles that are written down and stand in no report, as those of a file that nobody runs. */
function unseen(titles, ran) {
  const seen = [...new Set([...ran.values()].flatMap(({ parts }) => parts))]
  return titles
    .filter(({ title, ids }) => ids.length > 0 && !seen.some((part) => patternOf(title).test(part)))
    .map(({ file, line, title }) => `${file}:${line} did not run: ${title}`)
}

/** Pattern of a title with places to fill, as a report may read. */
function patternOf(title) {
  const places = /\$\{[^}]*\}|%[sdifjo#]|\$\w+/g
  const texts = title.split(places).map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${texts.join('.*')}$`, 's')
}
