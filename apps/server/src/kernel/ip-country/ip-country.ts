/**
 * The country of an address, from a file in MaxMind's format that the operator provides. It is held in memory and makes
 * no requests; it knows where a network is registered or used, not where a person is. Replacing the file needs a
 * restart. Tested in ip-country.test.ts.
 */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { Reader } from 'mmdb-lib'
import Type from 'typebox'
import type { HealthCheck } from '../health/checks.ts'
import { fits } from '../schema/fits.ts'

export interface IpCountries {
  /** ISO 3166-1 alpha-2; null without a file, for an invalid address, or if unknown. */
  of(ip: string | null): string | null
  /** When the file was built; null where there is none. */
  readonly builtAt: Date | null
}

const Code = Type.String({ pattern: '^[A-Z]{2}$' })
/** As MaxMind and DB-IP have it, and as IPinfo does. */
const Nested = Type.Object({ country: Type.Object({ iso_code: Code }) })
const Flat = Type.Object({ country_code: Code })

/** @throws Error with words for the operator when the file is none of these */
export function openIpCountries(path: string | null): IpCountries {
  if (path === null) return { of: () => null, builtAt: null }
  const reader = readerOf(path)
  return {
    of: (ip) => (ip === null || isIP(ip) === 0 ? null : codeIn(reader.get(ip))),
    builtAt: reader.metadata.buildEpoch,
  }
}

function readerOf(path: string) {
  try {
    // Records are small and few: a country of each network.
    return new Reader(readFileSync(path))
  } catch (error) {
    throw new Error(`${path} is no database of addresses in MaxMind's format (.mmdb).`, { cause: error })
  }
}

function codeIn(record: unknown): string | null {
  if (fits(Nested, record)) return record.country.iso_code
  return fits(Flat, record) ? record.country_code : null
}

const dayMs = 86_400_000
/** Networks move from hand to hand; the free files are made anew every week or month. */
const oldAfterDays = 180

/** Says how old the file is, and warns once that is half a year. */
export function ipCountryCheck({ builtAt }: IpCountries, now: () => number): HealthCheck {
  return {
    name: 'ip_countries',
    everyMs: 3_600_000,
    run: async () => {
      const days = builtAt === null ? null : Math.floor((now() - builtAt.getTime()) / dayMs)
      return {
        status: days !== null && days > oldAfterDays ? 'warn' : 'pass',
        observed: { configured: builtAt !== null, days_old: days },
      }
    },
  }
}
