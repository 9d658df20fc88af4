import { describe, expect, test } from 'vitest'
import { type TimetableName, timetableNames } from '../catalogs/timetables.ts'
import { classify } from './classify.ts'
import { derogations, exceptions, exclusions, facts, practices, transparencyCases, uses } from './questions.ts'
import type { Answers, Tier } from './schema.ts'

const at = '2026-11-27T12:00:00.000Z'

/** Every question answered with no, except that it is an AI system. */
const none: Record<string, boolean> = {
  ...Object.fromEntries(
    [
      ...Object.values(facts).map(({ id }) => id),
      ...[...exclusions, ...practices, ...uses, ...derogations, ...transparencyCases].map(({ id }) => id),
      ...exceptions,
    ].map((id) => [id, false]),
  ),
  is_ai_system: true,
}

interface Case {
  readonly yes?: readonly string[]
  readonly no?: readonly string[]
  readonly unknown?: readonly string[]
  readonly role?: Answers['role']
  readonly flops?: number
  readonly timetable?: TimetableName
}

function classified({ yes = [], no = [], unknown = [], role = 'provider', flops, timetable = '2026-amended' }: Case) {
  const answers = { ...none, ...Object.fromEntries([...yes.map((id) => [id, true]), ...no.map((id) => [id, false])]) }
  for (const id of unknown) delete answers[id]
  const given = { role, answers, ...(flops === undefined ? {} : { training_flops: flops }) }
  return classify({ answers: given, timetable, at })
}

const articles = (one: ReturnType<typeof classify>) => one.reasons.map(({ article }) => article)

describe.each(timetableNames)('under the timetable %s', (timetable) => {
  test.each<[string, Case, Tier[], string | null]>([
    ['no AI system', { no: ['is_ai_system'] }, ['out_of_scope'], 'Art. 3(1)'],
    ['military use', { yes: ['military'] }, ['out_of_scope'], 'Art. 2(3)'],
    ['research only', { yes: ['research_only'] }, ['out_of_scope'], 'Art. 2(6)'],
    ['personal use', { yes: ['personal_use'] }, ['out_of_scope'], 'Art. 2(10)'],
    ['spam filter', {}, ['minimal'], null],
    ['manipulation', { yes: ['manipulation'] }, ['prohibited'], 'Art. 5(1)(a)'],
    ['exploitation of age', { yes: ['exploitation'] }, ['prohibited'], 'Art. 5(1)(b)'],
    ['social scoring', { yes: ['social_scoring'] }, ['prohibited'], 'Art. 5(1)(c)'],
    ['crime by profiling', { yes: ['crime_prediction'] }, ['prohibited'], 'Art. 5(1)(d)'],
    ['crime with facts', { yes: ['crime_prediction', 'crime_prediction_human_facts'] }, ['minimal'], null],
    ['face scraping', { yes: ['face_scraping'] }, ['prohibited'], 'Art. 5(1)(e)'],
    [
      'emotion at work',
      { yes: ['emotion_work_education', 'emotion_recognition'] },
      ['prohibited', 'high_risk_use'],
      'Art. 5(1)(f)',
    ],
    [
      'emotion at work for medical reasons',
      { yes: ['emotion_work_education', 'emotion_medical_safety', 'emotion_recognition'] },
      ['high_risk_use'],
      'Annex III 1(c)',
    ],
    ['biometric categorization', { yes: ['biometric_categorization'] }, ['prohibited'], 'Art. 5(1)(g)'],
    ['lawful labelling', { yes: ['biometric_categorization', 'biometric_lawful_labelling'] }, ['minimal'], null],
    ['real-time identification', { yes: ['realtime_biometric'] }, ['prohibited'], 'Art. 5(1)(h)'],
    [
      'authorized real-time identification',
      { yes: ['realtime_biometric', 'realtime_biometric_authorized', 'biometric_identification'] },
      ['high_risk_use'],
      'Annex III 1(a)',
    ],
    [
      'intimate imagery',
      { yes: ['intimate_imagery', 'synthetic_content'] },
      ['prohibited', 'transparency'],
      'Art. 5(1)(i)',
    ],
    [
      'component of a class IIa device',
      { yes: ['safety_component', 'third_party_assessment'] },
      ['high_risk_product'],
      'Art. 6(1)(a)',
    ],
    ['component without third party', { yes: ['safety_component'] }, ['minimal'], null],
    ['CV screening', { yes: ['recruitment', 'profiles_persons'] }, ['high_risk_use'], 'Annex III 4(a)'],
    ['credit scoring', { yes: ['credit_scoring', 'profiles_persons'] }, ['high_risk_use'], 'Annex III 5(b)'],
    ['fraud detection', { yes: ['profiles_persons'] }, ['minimal'], null],
    ['life insurance', { yes: ['insurance'] }, ['high_risk_use'], 'Annex III 5(c)'],
    ['benefits', { yes: ['public_benefits'] }, ['high_risk_use'], 'Annex III 5(a)'],
    ['triage', { yes: ['emergency_calls'] }, ['high_risk_use'], 'Annex III 5(d)'],
    ['admission', { yes: ['education_admission'] }, ['high_risk_use'], 'Annex III 3(a)'],
    ['grading', { yes: ['education_outcomes'] }, ['high_risk_use'], 'Annex III 3(b)'],
    ['proctoring', { yes: ['education_monitoring'] }, ['high_risk_use'], 'Annex III 3(d)'],
    ['task allocation', { yes: ['work_decisions'] }, ['high_risk_use'], 'Annex III 4(b)'],
    ['power grid', { yes: ['critical_infrastructure'] }, ['high_risk_use'], 'Annex III 2'],
    ['evidence of crimes', { yes: ['law_evidence'] }, ['high_risk_use'], 'Annex III 6(c)'],
    ['asylum', { yes: ['migration_applications'] }, ['high_risk_use'], 'Annex III 7(c)'],
    ['courts', { yes: ['justice'] }, ['high_risk_use'], 'Annex III 8(a)'],
    ['elections', { yes: ['elections'] }, ['high_risk_use'], 'Annex III 8(b)'],
    ['deduplication of HR files', { yes: ['recruitment', 'narrow_task'] }, ['minimal'], 'Art. 6(3)(a)'],
    [
      'deduplication that profiles',
      { yes: ['recruitment', 'narrow_task', 'profiles_persons'] },
      ['high_risk_use'],
      'Annex III 4(a)',
    ],
    ['polish of a decision', { yes: ['credit_scoring', 'improves_human_work'] }, ['minimal'], 'Art. 6(3)(b)'],
    ['chatbot', { yes: ['interacts_with_people'] }, ['transparency'], 'Art. 50(1)'],
    ['image generator', { yes: ['synthetic_content'] }, ['transparency'], 'Art. 50(2)'],
    ['deep fake', { yes: ['deep_fake', 'synthetic_content'] }, ['transparency'], 'Art. 50(4)'],
    ['model of 1e24', { yes: ['gpai_model'], flops: 1e24 }, ['gpai'], 'Art. 3(63)'],
    ['model of 2e25', { yes: ['gpai_model'], flops: 2e25 }, ['gpai', 'gpai_systemic'], 'Art. 51(2)'],
    ['model of unknown size', { yes: ['gpai_model'] }, ['gpai', 'undetermined'], 'Art. 3(63)'],
    ['unknown scoring', { unknown: ['social_scoring'] }, ['undetermined'], null],
    ['unknown use', { unknown: ['recruitment'] }, ['undetermined'], null],
    [
      'unknown use of a prohibited one',
      { yes: ['social_scoring'], unknown: ['recruitment'] },
      ['prohibited'],
      'Art. 5(1)(c)',
    ],
    [
      'unknown exception',
      { yes: ['realtime_biometric'], unknown: ['realtime_biometric_authorized'] },
      ['undetermined'],
      null,
    ],
    [
      'unknown profiling',
      { yes: ['recruitment', 'narrow_task'], unknown: ['profiles_persons'] },
      ['undetermined'],
      'Art. 6(3)(a)',
    ],
  ])('%s', (_what, given, tiers, article) => {
    const found = classified({ ...given, timetable })
    expect([...found.tiers].sort()).toEqual([...tiers].sort())
    if (article === null) expect(found.tiers.includes('prohibited')).toBe(false)
    else expect(articles(found)).toContain(article)
    expect(found.timetable).toBe(timetable)
  })
})

test('nothing answered is undetermined, and may be prohibited', () => {
  const found = classify({ answers: {}, timetable: '2026-amended', at })
  expect(found).toMatchObject({ tiers: ['undetermined'], highest_possible: 'prohibited', role: null })
  expect(found.open_questions.length).toBeGreaterThan(30)
})

describe('obligations', () => {
  const fromOf = (one: ReturnType<typeof classify>, ref: string) =>
    one.obligations.find((obligation) => obligation.ref === ref)?.applies_from

  test('have the dates of their timetable', () => {
    const [amended, adopted] = (['2026-amended', '2024-adopted'] as const).map((timetable) =>
      classified({ yes: ['recruitment'], timetable }),
    )
    if (amended === undefined || adopted === undefined) throw new Error('not classified')
    expect([fromOf(amended, 'Art. 9(1)'), fromOf(adopted, 'Art. 9(1)')]).toEqual(['2027-12-02', '2026-08-02'])
    expect([fromOf(amended, 'Art. 4'), fromOf(adopted, 'Art. 4')]).toEqual(['2025-02-02', '2025-02-02'])
    expect(amended.obligations.find(({ ref }) => ref === 'Art. 9(1)')?.days_left).toBe(370)
    const product = classified({ yes: ['safety_component', 'third_party_assessment'] })
    expect(fromOf(product, 'Art. 9(1)')).toBe('2028-08-02')
    const marked = classified({ yes: ['synthetic_content', 'on_market_before'] })
    expect(fromOf(marked, 'Art. 50(2)')).toBe('2026-12-02')
    expect(fromOf(classified({ yes: ['synthetic_content'] }), 'Art. 50(2)')).toBe('2026-08-02')
  })

  test('are those of the role, and a deployer that rebrands has the provider’s', () => {
    const deployer = classified({ yes: ['recruitment'], role: 'deployer' })
    expect(deployer.obligations.map(({ ref }) => ref)).toEqual(expect.arrayContaining(['Art. 26(1)', 'Art. 26(11)']))
    expect(fromOf(deployer, 'Art. 9(1)')).toBeUndefined()
    const rebranded = classified({ yes: ['recruitment', 'substantial_change'], role: 'deployer' })
    expect(rebranded.role).toBe('provider')
    expect(fromOf(rebranded, 'Art. 9(1)')).toBe('2027-12-02')
  })

  test('come with fines and documents', () => {
    expect(classified({ yes: ['social_scoring'] }).penalty).toContain('7 %')
    expect(classified({ yes: ['recruitment'] })).toMatchObject({
      penalty: expect.stringContaining('3 %'),
      documents: expect.arrayContaining(['Technical documentation (Annex IV)', 'CE marking']),
    })
    expect(classified({})).toMatchObject({ penalty: null, documents: [], tiers: ['minimal'] })
  })

  test('of a derogated system are to document and to register it', () => {
    const refs = classified({ yes: ['recruitment', 'narrow_task'] }).obligations.map(({ ref }) => ref)
    expect(refs).toEqual(expect.arrayContaining(['Art. 6(4)', 'Art. 49(2)']))
    expect(refs).not.toContain('Art. 9(1)')
  })
})
