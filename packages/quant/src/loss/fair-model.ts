import type { Distribution } from '../distributions/specification.ts'

/** Forms of loss of Open FAIR (O-RT). */
export const lossForms = [
  'productivity',
  'response',
  'replacement',
  'fines_and_judgments',
  'competitive_advantage',
  'reputation',
] as const
export type LossForm = (typeof lossForms)[number]

/** A loss per event, or its forms, which add up. */
export type LossNode = Distribution | { readonly forms: Readonly<Partial<Record<LossForm, Distribution>>> }

/** Nodes of the Open FAIR tree. A node is given as a distribution or derived from its children, never both. */
export interface FairNodes {
  /** Annual loss. */
  readonly risk?: Distribution
  /** Loss events a year. */
  readonly loss_event_frequency?: Distribution
  /** Threat events a year. */
  readonly threat_event_frequency?: Distribution
  /** Contacts a year. */
  readonly contact_frequency?: Distribution
  /** Probability that a contact becomes a threat event. */
  readonly probability_of_action?: Distribution
  /** Probability that a threat event becomes a loss event. */
  readonly vulnerability?: Distribution
  /** Capability and resistance on one common scale; a threat event is a loss event where capability is greater. */
  readonly threat_capability?: Distribution
  readonly resistance_strength?: Distribution
  /** Loss per event. */
  readonly loss_magnitude?: Distribution
  readonly primary_loss?: LossNode
  /** Secondary loss of every loss event. */
  readonly secondary_loss?: Distribution
  /** Probability of a secondary loss per loss event. */
  readonly secondary_loss_event_frequency?: Distribution
  readonly secondary_loss_magnitude?: LossNode
}
export type NodeName = keyof FairNodes

/** Law of the number of events given the year's rate Λ; the mean is Λ for each. */
export type CountLaw =
  | { readonly law: 'poisson' }
  /** Variance Λ + dispersion Λ². */
  | { readonly law: 'negative_binomial'; readonly dispersion: number }
  /** At most one event, with probability Λ. */
  | { readonly law: 'bernoulli' }

export interface FairModel {
  readonly nodes: FairNodes
  /** Default Poisson. */
  readonly count?: CountLaw
  /** Resistance drawn anew for each event (default) or once a year, which fattens the tail. */
  readonly resistance_scope?: 'per_event' | 'per_year'
}

/** A model in the form that the engines evaluate. Yearly parameters are drawn once a year, losses for each event. */
export interface ScenarioPlan {
  /** `annual_loss`: the first loss is the loss of the whole year. */
  readonly count: CountLaw | { readonly law: 'annual_loss' }
  /** Yearly factors of the rate of loss events; constants are folded into `rateScale`. */
  readonly rateFactors: readonly NamedDistribution[]
  readonly rateScale: number
  /** Capability against the year's resistance. */
  readonly yearlyResistance: { readonly capability: Distribution; readonly resistance: Distribution } | null
  /** Per event; they add up. */
  readonly losses: readonly NamedDistribution[]
  readonly secondary: {
    readonly probability: NamedDistribution
    readonly losses: readonly NamedDistribution[]
  } | null
}

export interface NamedDistribution {
  /** JSON pointer within the model, such as `/nodes/primary_loss`. */
  readonly pointer: string
  readonly distribution: Distribution
}
