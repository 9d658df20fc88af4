/**
 * Classifies a system under the EU AI Act by an ordered procedure, each step with its article. Tiers are a set. An unknown
 * answer never lowers the tier: the result is then undetermined, with the gravest that is still possible. Pure. Tested in
 * classify.test.ts.
 */

import type { TimetableName } from '../catalogs/timetables.ts'
import { obligationsOf } from './obligations.ts'
import {
  derogations,
  exclusions,
  facts,
  practices,
  type Question,
  type Role,
  transparencyCases,
  uses,
} from './questions.ts'
import type { Answers, Classification, Tier } from './schema.ts'

/** Systemic risk is presumed above it (Art. 51(2)). */
const systemicFlops = 1e25

export interface Asked {
  readonly answers: Answers
  readonly timetable: TimetableName
  /** ISO 8601. */
  readonly at: string
}

type Reason = Classification['reasons'][0]
const reasonOf = ({ id: question, article, text }: Question): Reason => ({ question, article, text })

interface Step {
  readonly tiers: readonly Tier[]
  readonly reasons: readonly Reason[]
  /** Unanswered questions that could add the tier. */
  readonly open: readonly string[]
  readonly possible: Tier | null
}

const nothing: Step = { tiers: [], reasons: [], open: [], possible: null }

type Said = (id: string) => boolean | undefined

export function classify({ answers, timetable, at }: Asked): Classification {
  const said: Said = (id) => answers.answers?.[id]
  const notice = 'Support for a decision, not a legal determination.'
  const common = { role: roleOf(answers.role, said), timetable, notice }
  const outside = outOfScope(said)
  if (outside !== null)
    return {
      ...common,
      ...{ tiers: ['out_of_scope'], highest_possible: null, reasons: [outside], obligations: [] },
      ...{ penalty: null, documents: [], open_questions: [] },
    }
  const steps = [prohibited(said), byProduct(said), byUse(said), transparency(said), generalPurpose(answers, said)]
  const found = [...new Set(steps.flatMap((step) => step.tiers))]
  const open = [...new Set(steps.flatMap((step) => step.open))]
  const tiers = completed(found, steps)
  const { obligations, documents } = obligationsOf({ tiers, said, role: common.role, timetable, at })
  return {
    ...common,
    tiers,
    highest_possible: highestPossible(found, steps),
    reasons: steps.flatMap((step) => step.reasons),
    ...{ obligations, documents, penalty: penaltyOf(tiers), open_questions: open },
  }
}

const ranks: readonly Tier[] = [
  'prohibited',
  'high_risk_product',
  'high_risk_use',
  'gpai_systemic',
  'gpai',
  'transparency',
  'minimal',
]
const rankOf = (tier: Tier): number => ranks.indexOf(tier)

/** Tiers that open questions could add and that are graver than all found ones. */
function graver(found: readonly Tier[], steps: readonly Step[]): readonly Tier[] {
  const gravest = Math.min(...found.map(rankOf), rankOf('minimal'))
  return steps.flatMap(({ possible }) => (possible !== null && rankOf(possible) < gravest ? [possible] : []))
}

function highestPossible(found: readonly Tier[], steps: readonly Step[]): Tier | null {
  return [...graver(found, steps)].sort((a, b) => rankOf(a) - rankOf(b))[0] ?? null
}

function completed(found: readonly Tier[], steps: readonly Step[]): Tier[] {
  if (graver(found, steps).length > 0) return [...found, 'undetermined']
  return found.length === 0 ? ['minimal'] : [...found]
}

/** A deployer that rebrands or substantially changes a system has the duties of its provider (Art. 25(1)). */
function roleOf(role: Role | undefined, said: Said): Role | null {
  if (role === undefined) return null
  const becomes = role === 'deployer' || role === 'importer' || role === 'distributor'
  return becomes && said('substantial_change') === true ? 'provider' : role
}

function outOfScope(said: Said): Reason | null {
  if (said('is_ai_system') === false) return { ...reasonOf(facts.is_ai_system), text: 'It is no AI system' }
  const found = exclusions.find(({ id }) => said(id) === true)
  return found === undefined ? null : reasonOf(found)
}

function prohibited(said: Said): Step {
  const hits = practices.filter(
    ({ id, exception }) => said(id) === true && (exception === null || said(exception) === false),
  )
  const open = practices.flatMap(({ id, exception }) => {
    if (said(id) === undefined) return [id]
    return said(id) === true && exception !== null && said(exception) === undefined ? [exception] : []
  })
  return {
    tiers: hits.length > 0 ? ['prohibited'] : [],
    reasons: hits.map(reasonOf),
    open,
    possible: open.length > 0 ? 'prohibited' : null,
  }
}

/** A safety component alone is not enough: the product needs a third-party assessment as well. */
function byProduct(said: Said): Step {
  const [component, assessed] = [said('safety_component'), said('third_party_assessment')]
  if (component === false || assessed === false) return nothing
  if (component === true && assessed === true)
    return {
      ...nothing,
      tiers: ['high_risk_product'],
      reasons: [reasonOf(facts.safety_component), reasonOf(facts.third_party_assessment)],
    }
  const open = [
    ...(component === undefined ? ['safety_component'] : []),
    ...(assessed === undefined ? ['third_party_assessment'] : []),
  ]
  return { ...nothing, open, possible: 'high_risk_product' }
}

function byUse(said: Said): Step {
  const hits = uses.filter(({ id }) => said(id) === true)
  const unknown = uses.filter(({ id }) => said(id) === undefined).map(({ id }) => id)
  if (hits.length === 0) return { ...nothing, open: unknown, possible: unknown.length > 0 ? 'high_risk_use' : null }
  const derogation = derogations.find(({ id }) => said(id) === true)
  // A system that profiles natural persons is always high-risk.
  if (derogation === undefined || said('profiles_persons') === true)
    return { ...nothing, tiers: ['high_risk_use'], reasons: hits.map(reasonOf) }
  const reasons = [...hits.map(reasonOf), reasonOf(derogation)]
  if (said('profiles_persons') === undefined)
    return { ...nothing, reasons, open: ['profiles_persons'], possible: 'high_risk_use' }
  return { ...nothing, reasons, open: unknown, possible: unknown.length > 0 ? 'high_risk_use' : null }
}

function transparency(said: Said): Step {
  const hits = transparencyCases.filter(({ id }) => said(id) === true)
  const open = transparencyCases.filter(({ id }) => said(id) === undefined).map(({ id }) => id)
  return {
    tiers: hits.length > 0 ? ['transparency'] : [],
    reasons: hits.map(reasonOf),
    open: hits.length > 0 ? [] : open,
    possible: hits.length === 0 && open.length > 0 ? 'transparency' : null,
  }
}

function generalPurpose({ training_flops: flops }: Answers, said: Said): Step {
  const isModel = said('gpai_model')
  if (isModel === false) return nothing
  if (isModel === undefined) return { ...nothing, open: ['gpai_model'], possible: 'gpai_systemic' }
  const reasons = [reasonOf(facts.gpai_model)]
  if (flops === undefined) return { tiers: ['gpai'], reasons, open: ['training_flops'], possible: 'gpai_systemic' }
  if (flops <= systemicFlops) return { ...nothing, tiers: ['gpai'], reasons }
  const systemic = {
    question: 'training_flops',
    article: 'Art. 51(2)',
    text: 'Trained with more than 10^25 operations',
  }
  return { ...nothing, tiers: ['gpai', 'gpai_systemic'], reasons: [...reasons, systemic] }
}

/** Upper bound of fines (Art. 99, 101). */
function penaltyOf(tiers: readonly Tier[]): string | null {
  if (tiers.includes('prohibited')) return 'EUR 35 million or 7 % of worldwide turnover'
  const hasDuties: readonly Tier[] = ['high_risk_product', 'high_risk_use', 'transparency', 'gpai', 'gpai_systemic']
  return tiers.some((tier) => hasDuties.includes(tier)) ? 'EUR 15 million or 3 % of worldwide turnover' : null
}
