/** NIST's files beside the repository; tests that need them are skipped where they are absent. */
import { existsSync, readFileSync } from 'node:fs'

const folder = new URL('../../../../../../../shared/data/oscal/', import.meta.url)

export const hasNist = existsSync(folder)

export const nistText = (path: string): string => readFileSync(new URL(path, folder), 'utf8')
export const nist = (path: string): Record<string, never> => JSON.parse(nistText(path))

const old = 'sp800-53r5-2021/NIST_SP-800-53_rev5'
const current = 'sp800-53r5.1.1/NIST_SP-800-53_rev5'
const levels = ['LOW', 'MODERATE', 'HIGH', 'PRIVACY'] as const

export const files = {
  sp80053: `${old}_catalog-min.json`,
  low: `${old}_LOW-baseline-resolved-profile_catalog-min.json`,
  catalogs: [
    `${old}_catalog-min.json`,
    `${old}_LOW-baseline-resolved-profile_catalog-min.json`,
    `${old}_PRIVACY-baseline-resolved-profile_catalog-min.json`,
    `${current}_LOW-baseline-resolved-profile_catalog-min.json`,
    'NIST_CSF_v2.0_catalog.json',
    'NIST_SP800-171_rev3_catalog.json',
    'examples/basic-catalog.json',
  ],
  profiles: [old, current].flatMap((name) => levels.map((level) => `${name}_${level}-baseline_profile.json`)),
  others: [
    'examples/example-component-definition.json',
    'examples/ifa_assessment-plan-example.json',
    'examples/ifa_assessment-results-example.json',
    'examples/ifa_plan-of-action-and-milestones.json',
    'examples/ifa_ssp-example.json',
  ],
  schema: 'oscal-1.2.1_complete_schema.json',
  counts: 'expected-counts.json',
} as const
