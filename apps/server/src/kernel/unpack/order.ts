import type { ArchiveFormat, DocumentFormat, UnpackErrorKind } from './port.ts'

/** Request to the thread. */
export interface UnpackOrder {
  readonly format: DocumentFormat | ArchiveFormat | 'yaml'
  readonly bytes: Uint8Array
}

/** Its answer. */
export type UnpackReport =
  | { readonly ok: true; readonly output: unknown }
  | { readonly ok: false; readonly kind: UnpackErrorKind; readonly text: string }
