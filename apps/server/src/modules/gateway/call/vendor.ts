/**
 * Vendor-specific content of a call or an answer, kept for providers and clients that use the same form. Plain data.
 */

/** The wire forms whose unknown members may be passed on. */
export const vendorForms = ['openai_chat', 'openai_responses', 'openai_embeddings', 'anthropic_messages'] as const
export type VendorForm = (typeof vendorForms)[number]

/** A value that only one vendor understands. */
export interface Opaque {
  readonly form: VendorForm
  readonly value: unknown
}

/** An unknown member of the body, and its place. */
export interface VendorExtra extends Opaque {
  /** JSON Pointer into the body as it was read. */
  readonly at: string
  /** The answer is the same without it, so it is omitted, and logged, if the provider does not understand it. */
  readonly optional?: true
}

export interface CacheControl {
  /** Lifetime of the prompt in the provider's cache; the provider's default if null. */
  readonly ttl: '5m' | '1h' | null
}

/** Location of the bytes of a part: base64 in the body, at an address, or at the vendor under an id. */
export type MediaSource =
  | { readonly kind: 'data'; readonly data: string }
  | { readonly kind: 'url'; readonly url: string }
  | { readonly kind: 'id'; readonly id: string; readonly form: VendorForm }
