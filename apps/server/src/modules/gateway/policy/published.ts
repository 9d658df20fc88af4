import type { PolicyDocument } from './document.ts'

export interface PublishedPolicy {
  readonly id: string
  readonly name: string
  readonly version: number
  readonly sha256: string
  readonly document: PolicyDocument
  /** A role by its name, however it is stored. */
  readonly bindings: readonly Bound[]
}

/** A policy that applies to a call. */
export interface AppliedPolicy extends PublishedPolicy {
  /** Of the binding by which it does; 0 when absent. */
  readonly priority?: number
}

export interface Bound {
  readonly kind: 'tenant' | 'role' | 'group' | 'user' | 'key' | 'agent' | 'route'
  readonly value?: string
  /** 0 when absent. */
  readonly priority?: number
}
