/** Reads the blocks of a page and runs them: requests against the program, scripts as modules, each with its output. */
import { expect } from 'vitest'

export interface Block {
  readonly language: string
  /** Text after the language: the status of an unsuccessful answer. */
  readonly note: string
  readonly text: string
  readonly line: number
}

/** Fenced blocks in page order. */
export function blocksOf(page: string): Block[] {
  return [...page.matchAll(/^```(\w*)[ ]*([^\n]*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? '',
    note: match[2] ?? '',
    text: match[3] ?? '',
    line: page.slice(0, match.index).split('\n').length,
  }))
}

export interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A request as it stands in a block: a line of method and path, headers, an empty line, the body. */
export function requestOf(text: string): Sent {
  const [head = '', ...rest] = text.trim().split('\n\n')
  const [first = '', ...lines] = head.split('\n')
  const [method = '', path = ''] = first.split(' ')
  const headers = Object.fromEntries(lines.map((line) => line.split(/:\s*/, 2) as [string, string]))
  return { method, path, headers, body: rest.join('\n\n') }
}

/** Values that an answer gave and a later block uses, as `{{name}}`. */
export class Values {
  readonly #known = new Map<string, string>()

  set(name: string, value: string): void {
    this.#known.set(name, value)
  }

  has(name: string): boolean {
    return this.#known.has(name)
  }

  /** @throws Error for a name that nothing has given */
  fill(text: string): string {
    return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
      const value = this.#known.get(name)
      if (value === undefined) throw new Error(`no answer has given {{${name}}}`)
      return value
    })
  }

  /** Compares an answer with a page: members not shown are free, `…` stands for any text, `{{name}}` is remembered. */
  match(shown: unknown, answer: unknown, place: string): void {
    if (typeof shown === 'string') this.#matchText(shown, answer, place)
    else if (Array.isArray(shown))
      for (const [i, item] of shown.entries()) this.match(item, (answer as unknown[] | null)?.[i], `${place}/${i}`)
    else if (shown !== null && typeof shown === 'object')
      for (const [name, value] of Object.entries(shown))
        this.match(value, (answer as Record<string, unknown> | null)?.[name], `${place}/${name}`)
    else expect(answer, place).toBe(shown)
  }

  #matchText(shown: string, answer: unknown, place: string): void {
    const [, name] = /^\{\{(\w+)\}\}$/.exec(shown) ?? []
    if (name === undefined) {
      expect(String(answer), place).toMatch(patternOf(shown))
      return
    }
    expect(typeof answer, place).toBe('string')
    this.#known.set(name, String(answer))
  }
}

/** A text in which `…` stands for anything. */
export function patternOf(shown: string): RegExp {
  const parts = shown.split('…').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('[\\s\\S]*')}$`)
}

type Script = (process: object, console: object, load: (name: string) => Promise<unknown>) => Promise<void>
const AsyncFunction = (async () => {}).constructor as new (...parts: string[]) => Script

/** Runs a script with these environment variables and answers what it printed. */
export async function printed(script: string, env: Readonly<Record<string, string>>): Promise<string> {
  const lines: string[] = []
  const body = script
    .replace(/^import (\w+) from '([^']+)'$/gm, "const { default: $1 } = await load('$2')")
    .replace(/^import (\{[^}]+\}) from '([^']+)'$/gm, "const $1 = await load('$2')")
  const log = (...parts: unknown[]): void => void lines.push(parts.map(String).join(' '))
  await new AsyncFunction('process', 'console', 'load', body)({ env }, { log }, (name) => import(name))
  return lines.join('\n')
}
