/** Definitions that published servers list, without any poison; where they come from is in published/README.md. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Definition } from '../../pins/pin.ts'

export interface Published {
  readonly definition: Definition
  /** Of a server whose definitions were not looked at while the rules were written. */
  readonly isHeldOut: boolean
}

const folder = new URL('published/', import.meta.url)

/** One server of two is held out, by its name. */
export const published: readonly Published[] = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .toSorted()
  .flatMap((name, n) =>
    readFileSync(new URL(name, folder), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => ({ definition: JSON.parse(line), isHeldOut: n % 2 === 1 })),
  )
