/** Harmless prose that asks for nothing: passages of speeches and of a novel, in the public domain (../texts). */
import { readFileSync } from 'node:fs'
import type { Generator, Row } from '../../rows/row.ts'

const source = 'gen-benign-prose'

export const generator: Generator = {
  name: 'benign-prose',
  seed: 0,
  rows: () => [...passages('state-of-the-union'), ...passages('moby-dick')],
}

function passages(name: string): Row[] {
  return readFileSync(new URL(`../../texts/${name}.txt`, import.meta.url), 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => ({ text, label: 0, kind: 'ordinary', source, lang: 'en' }))
}
