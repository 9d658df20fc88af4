/** A raw term of the trust score. Either a proportion with its count or a value; never something a person typed in. */
export interface TrustSignal {
  readonly id: string
  readonly good: number | null
  readonly value: number | null
  readonly n: number | null
  readonly observed_at: string | null
  readonly source_ref: string | null
  /** Of event signals: the events, and the times when their source was not watching. */
  readonly events?: readonly {
    /** The source's name of the event; without one its time and severity tell it from others. */
    readonly id?: string
    readonly severity: 'low' | 'medium' | 'high' | 'critical'
    readonly at: string
    readonly closed_at?: string
  }[]
  readonly pauses?: readonly { readonly from: string; readonly to: string }[]
}

export interface TrustReport {
  readonly signals: readonly TrustSignal[]
  readonly caps: readonly { readonly id: string; readonly active: boolean }[]
}
