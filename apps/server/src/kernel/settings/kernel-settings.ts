/** The settings the kernel itself reads. */

import Type from 'typebox'
import type { Config } from '../config/load.ts'
import type { RateClass } from '../limits/rate-class.ts'
import { isNetwork } from '../net/networks.ts'
import { nullable, oneOf, strictObject, Timestamp } from '../schema/types.ts'
import { defineSetting, type SettingDefinition } from './define.ts'

const PerMinute = (minimum: number) => Type.Integer({ minimum, maximum: 100_000_000 })

interface LimitFacts {
  readonly name: RateClass
  readonly fallback: number
  readonly env: string
  readonly read: (config: Config) => number
  readonly description: string
  /** Below it people could not use the console any more. Default 1. */
  readonly minimum?: number
}

function limitSetting({ name, fallback, env, read, description, minimum = 1 }: LimitFacts): SettingDefinition<number> {
  const ofAddress = name === 'credential'
  return defineSetting({
    key: `rate_limits.${name}`,
    schema: PerMinute(minimum),
    default: fallback,
    scope: ofAddress ? 'platform' : 'both',
    description,
    environment: { name: env, read },
    platformIsCeiling: !ofAddress,
  })
}

/** Units in a sliding window of 60 s, by class. */
export const rateLimits: Readonly<Record<RateClass, SettingDefinition<number>>> = {
  api: limitSetting({
    name: 'api',
    fallback: 6000,
    env: 'PARAPET_RATE_LIMIT_API',
    read: (config) => config.rateLimitApi,
    description: 'Requests per tenant in 60 s, of which one caller has at most three quarters.',
    minimum: 60,
  }),
  inference: limitSetting({
    name: 'inference',
    fallback: 3000,
    env: 'PARAPET_RATE_LIMIT_INFERENCE',
    read: (config) => config.rateLimitInference,
    description: 'Model calls per tenant in 60 s.',
  }),
  expensive: limitSetting({
    name: 'expensive',
    fallback: 60,
    env: 'PARAPET_RATE_LIMIT_EXPENSIVE',
    read: (config) => config.rateLimitExpensive,
    description: 'Expensive requests per tenant in 60 s.',
  }),
  credential: limitSetting({
    name: 'credential',
    fallback: 1200,
    env: 'PARAPET_RATE_LIMIT_CREDENTIAL',
    read: (config) => config.rateLimitCredential,
    description: 'Requests without a valid credential per address in 60 s.',
  }),
  stop: limitSetting({
    name: 'stop',
    fallback: 120,
    env: 'PARAPET_RATE_LIMIT_STOP',
    read: (config) => config.rateLimitStop,
    description: 'Requests that stop or revoke something, per caller in 60 s, counted apart from all others.',
    minimum: 30,
  }),
}

export const Maintenance = strictObject({
  mode: oneOf('off', 'read_only', 'full'),
  message: Type.String({ minLength: 1, maxLength: 500 }),
  starts_at: nullable(Timestamp),
  ends_at: nullable(Timestamp),
  allow_cidrs: Type.Array(Type.String({ maxLength: 50 }), { maxItems: 50 }),
})

export const maintenance = defineSetting({
  key: 'maintenance',
  schema: Maintenance,
  default: {
    mode: 'off',
    message: 'The installation is under maintenance.',
    starts_at: null,
    ends_at: null,
    allow_cidrs: [],
  },
  scope: 'platform',
  description:
    'In `full` everything but sign-in, health and administration answers 503, in `read_only` everything that changes something. ' +
    'Callers from the networks of `allow_cidrs` pass.',
  dangerous: true,
  check: ({ starts_at, ends_at, allow_cidrs }) => {
    const bad = allow_cidrs.find((network) => !isNetwork(network))
    if (bad !== undefined) return `${bad} is not a network in CIDR form.`
    return starts_at !== null && ends_at !== null && Date.parse(ends_at) <= Date.parse(starts_at)
      ? 'ends_at must be after starts_at.'
      : null
  },
})

export const metricsToken = defineSetting({
  key: 'metrics.token',
  schema: nullable(Type.String({ minLength: 16, maxLength: 200, pattern: '^[!-~]+$' })),
  default: null,
  scope: 'platform',
  description: 'Bearer token for /metrics; without it only the loopback address may read them.',
  environment: { name: 'PARAPET_METRICS_TOKEN', read: (config) => config.metricsToken },
  secret: true,
})

export const jobHistoryDays = defineSetting({
  key: 'jobs.history_days',
  schema: Type.Integer({ minimum: 1, maximum: 400 }),
  default: 30,
  scope: 'platform',
  description: 'Days for which jobs that ended are kept.',
})

export const kernelSettings: readonly SettingDefinition[] = [
  ...Object.values(rateLimits),
  maintenance,
  metricsToken,
  jobHistoryDays,
]
