/** Reads the data of a fact by member; a member of another form than expected is an error of the check, never a pass. */
import { isRecord } from '../../../kernel/base/is-record.ts'

export class FactFormError extends Error {}

export class FactData {
  readonly #data: Readonly<Record<string, unknown>>
  readonly #fact: string

  constructor(fact: string, data: Readonly<Record<string, unknown>>) {
    this.#fact = fact
    this.#data = data
  }

  number(name: string): number {
    const value = this.#data[name]
    if (typeof value !== 'number') throw this.#wrong(name, 'a number')
    return value
  }

  maybeNumber(name: string): number | null {
    return this.#data[name] === null || this.#data[name] === undefined ? null : this.number(name)
  }

  text(name: string): string {
    const value = this.#data[name]
    if (typeof value !== 'string') throw this.#wrong(name, 'a text')
    return value
  }

  maybeText(name: string): string | null {
    return this.#data[name] === null || this.#data[name] === undefined ? null : this.text(name)
  }

  flag(name: string): boolean {
    const value = this.#data[name]
    if (typeof value !== 'boolean') throw this.#wrong(name, 'true or false')
    return value
  }

  maybeFlag(name: string): boolean | null {
    return this.#data[name] === null || this.#data[name] === undefined ? null : this.flag(name)
  }

  object(name: string): FactData {
    const value = this.#data[name]
    if (!isRecord(value)) throw this.#wrong(name, 'an object')
    return new FactData(`${this.#fact}.${name}`, value)
  }

  maybeObject(name: string): FactData | null {
    return this.#data[name] === null || this.#data[name] === undefined ? null : this.object(name)
  }

  list(name: string): readonly FactData[] {
    const value = this.#data[name]
    if (!Array.isArray(value)) throw this.#wrong(name, 'a list')
    return value.map((item, index) => {
      if (!isRecord(item)) throw this.#wrong(`${name}[${index}]`, 'an object')
      return new FactData(`${this.#fact}.${name}[${index}]`, item)
    })
  }

  texts(name: string): readonly string[] {
    const value = this.#data[name]
    if (!Array.isArray(value) || !value.every((item) => typeof item === 'string'))
      throw this.#wrong(name, 'a list of texts')
    return value
  }

  #wrong(name: string, expected: string): FactFormError {
    return new FactFormError(`${this.#fact} has no ${name} that is ${expected}`)
  }
}
