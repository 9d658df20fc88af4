/**
 * Vendor-specific content of a call or an answer, kept for providers and clients that use the same form. Plain data.
 */

/** The wire forms whose unknown members may be passed on. */
export const vendorForms = ['openai_chat', 'openai_responses', 'openai_embeddings', 'anthropic_messages'] as const
export type VendorForm = (typeof vendorForms)[number]

/** A value only one vendor understands. */
export interface Opaque {
  readonly form: VendorForm
  readonly value: unknown
}

/** A member of the body that is not understood, and where it stood. */
export interface VendorExtra extends Opaque {
  /** JSON Pointer into the body as it was read. */
  readonly at: string
  /** The answer is to be the same without it, so it is left out, with a trace, where it is not understood. */
  readonly optional?: true
}

export interface CacheControl {
  /** Lifetime of the prompt in the provider's cache; the provider's default if null. */
  readonly ttl: '5m' | '1h' | null
}

/** Where the bytes of a part are: base64 here, at an address, or at the vendor under an id. */
export type MediaSource =
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'id'; readonly id: string; readonly form: VendorForm }
