/**
 * Package names after an install command that are one edit from a popular name: another letter, one more, one less or
 * two swapped (Damerau, 1964). Linear in the text. Tested through inspect-output.test.ts.
 */
import type { Finding } from '../../base/finding.ts'
import { isWord } from '../../base/matcher.ts'
import { createAutomaton } from '../../text/automaton/automaton.ts'
import { foldCase } from './fold-case.ts'

/** Popular names, indexed by themselves and by themselves without one character. */
export interface PackageIndex {
  readonly names: ReadonlySet<string>
  readonly near: ReadonlyMap<string, readonly string[]>
}

const minName = 4

/** Prepares a list of names. */
export function indexPackages(list: readonly string[]): PackageIndex {
  const names = new Set(list.map(canonical))
  const near = new Map<string, string[]>()
  const add = (key: string, name: string): void => {
    const known = near.get(key)
    if (known) known.push(name)
    else near.set(key, [name])
  }
  for (const name of names) {
    if (name.length < minName) continue
    add(name, name)
    for (let i = 0; i < name.length; i += 1) add(without(name, i), name)
  }
  return { names, near }
}

/** The words that an install command may begin with. */
export const installTriggers: readonly string[] = [
  'npm install ',
  'npm i ',
  'npm add ',
  'yarn add ',
  'pnpm add ',
  'pnpm install ',
  'pnpm i ',
  'bun add ',
  'npx ',
  'pip install ',
  'pip3 install ',
  'pipx install ',
  'uv add ',
  'uv pip install ',
  'poetry add ',
  'pipenv install ',
  'conda install ',
  'cargo add ',
  'cargo install ',
]
const automaton = /* @__PURE__ */ createAutomaton(installTriggers)

/** Longest part of a command that is read. */
const maxCommand = 220

/** Adds a finding for each suspicious name. */
export function findTyposquats(text: string, index: () => PackageIndex, found: Finding[]): void {
  let read = 0
  automaton.scan(foldCase(text), (trigger, end) => {
    const start = end - (installTriggers[trigger]?.length ?? 0)
    // A command inside the words of another goes on where that one was read to.
    if (!isWord(text.charCodeAt(start - 1)))
      read = readNames(text, { from: Math.max(read, end), to: end + maxCommand }, (name, at) =>
        judge(name, at, { index: index(), found }),
      )
    return true
  })
}

/** Flags whose next word is no package. */
const withValue: ReadonlySet<string> = new Set([
  '-r',
  '-c',
  '-e',
  '-i',
  '--index-url',
  '--extra-index-url',
  '--registry',
  '--prefix',
  '--features',
  '-n',
  '-p',
  '-t',
  '--target',
  '--requirement',
])

/** Visits the names of a list and answers where reading ended: at a word that may be cut, or that is no name. */
function readNames(
  text: string,
  { from, to }: { from: number; to: number },
  visit: (name: string, at: number) => void,
): number {
  const line = /^[^\n;|&`"')(<>]{0,220}/.exec(text.slice(from, Math.max(from, to)))?.[0] ?? ''
  let skip = false
  let read = from
  for (const match of line.matchAll(/\S{1,100}/g)) {
    const word = match[0]
    const at = from + match.index
    read = at + word.length < to ? at + word.length : at
    if (skip) skip = false
    else if (word.startsWith('-')) skip = withValue.has(word)
    else if (!isName(word) || proseWords.has(word.toLowerCase())) return at
    else visit(word, at)
  }
  return read
}

const proseWords: ReadonlySet<string> = new Set(
  'a all and any as at before but by first for from globally if in into is it locally manually now of on once or so that the then this to via when where which will with you your'.split(
    ' ',
  ),
)

/** `name`, `@scope/name`, with a version or extras; prose after the command ends the list. */
const isName = (word: string): boolean =>
  /^@?[a-z0-9][\w.-]{0,60}(?:\/[\w.-]{1,60})?(?:\[[\w,-]{0,40}\])?(?:(?:@|==|>=|~=|<=|\^)[\w.^~*-]{0,30})?[.,]?$/i.test(
    word,
  )

function judge(word: string, at: number, { index, found }: { index: PackageIndex; found: Finding[] }): void {
  const bare = word.startsWith('@') ? '' : word.replace(/(?:[@[<>=~^]|[.,]$).*$/, '')
  const name = canonical(bare)
  if (name.length < minName || index.names.has(name)) return
  const popular = nearest(name, index)
  if (popular === undefined) return
  found.push({
    detector: 'output',
    type: 'typosquat',
    rule: 'near-popular-name',
    start: at,
    end: at + bare.length,
    score: name.length >= 6 ? 0.85 : 0.6,
    evidence: `${name} looks like ${popular}`.slice(0, 80),
  })
}

function nearest(name: string, { near }: PackageIndex): string | undefined {
  const keys = [name, ...Array.from(name, (_, i) => without(name, i))]
  for (const key of keys) {
    const popular = near.get(key)?.find((candidate) => isOneEdit(name, candidate))
    if (popular !== undefined) return popular
  }
  return undefined
}

/** PEP 503 for every registry: case and the kind of separator do not tell packages apart. */
const canonical = (name: string): string => name.toLowerCase().replace(/[_.]/g, '-')

const without = (name: string, at: number): string => name.slice(0, at) + name.slice(at + 1)

function isOneEdit(a: string, b: string): boolean {
  let same = 0
  while (same < a.length && a[same] === b[same]) same += 1
  const [restA, restB] = [a.slice(same), b.slice(same)]
  if (a.length === b.length) {
    if (restA.slice(1) === restB.slice(1)) return true
    return restA[0] === restB[1] && restA[1] === restB[0] && restA.slice(2) === restB.slice(2)
  }
  return a.length > b.length ? restA.slice(1) === restB : restB.slice(1) === restA
}
