import type { FlagDefinition } from '../schemas/flags.ts'

/** One flag of another system's document as it would be here. */
export interface Imported {
  readonly name: string
  readonly flag: FlagDefinition
  readonly description: string | null
  /** Descriptions of parts that could not be imported unchanged. */
  readonly warnings: readonly string[]
}

export type Json = Readonly<Record<string, unknown>>

export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in a list member; other items are dropped. */
export function objectsIn(value: unknown): readonly Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : []
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
