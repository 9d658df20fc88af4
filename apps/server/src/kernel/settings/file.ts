/**
 * Settings of an installation from a file that is kept with its deployment: JSON of values by key, below what was set in
 * the program and above the defaults. Read once at start, before anything else is touched. Promises that a file with
 * any error in it starts nothing, and that all errors are reported at once. Tested in file.test.ts.
 */
import { statSync } from 'node:fs'
import { jsonOfFile } from '../config/operator-file.ts'
import { type Check, lazyCheck } from '../schema/validators.ts'
import type { SettingDefinition } from './define.ts'

export type FileValues = ReadonlyMap<string, unknown>

/** @throws Error with words for the operator, a line for each fault; no value is quoted */
export function readSettingsFile(path: string | null, declared: readonly SettingDefinition[]): FileValues {
  if (path === null) return new Map()
  const values = parsed(path)
  const known = new Map(declared.map((definition) => [definition.key, definition]))
  const read = <T>({ key, default: fallback }: SettingDefinition<T>): T => (values.get(key) ?? fallback) as T
  const faults = [...values].flatMap(([key, value]) => {
    const definition = known.get(key)
    if (definition === undefined) return [`${key}: there is no such setting`]
    if (definition.secret && isReadByOthers(path)) return [`${key}: is a secret, and others may read the file`]
    const check: Check = lazyCheck(definition.schema)
    const wrong = check(value).map(({ pointer, detail }) => `${key}${pointer}: ${detail}`)
    if (wrong.length > 0) return wrong
    const problem = definition.check(value, read)
    return problem === null ? [] : [`${key}: ${problem}`]
  })
  if (faults.length > 0)
    throw new Error(`The settings file ${path} is not valid:\n${faults.map((line) => `  ${line}`).join('\n')}`)
  return values
}

function parsed(path: string): Map<string, unknown> {
  const value = jsonOfFile(path, 'settings file')
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error(`The settings file ${path} holds no JSON object.`)
  return new Map(Object.entries(value))
}

const isReadByOthers = (path: string): boolean => (statSync(path).mode & 0o077) !== 0
