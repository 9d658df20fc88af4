/** Checks of the risk register, exercises, restores and attack paths. Tested in run-check.test.ts and populations.test.ts. */
import { defineCheck } from './define.ts'
import { isOlder, itemOf, judgeEach } from './population.ts'

const reviewDays = 90
const quantifiedDays = 180
const topRisks = 10
const pathDays = 30

const riskChecks = [
  defineCheck({
    id: 'risk.register_current',
    version: 1,
    title: 'Every open risk was reviewed within 90 days, and high ones have an owner and a treatment',
    severity: 'medium',
    reads: [{ fact: 'risk.open_risks' }],
    population: 'Risks that are not closed, counted as all without closed ones; recounted one by one',
    freshnessDays: 7,
    triggers: ['risk.status.changed'],
    claims: [
      ...['~iso-27001-2022 8.2', '~iso-27001-2022 8.3', '~soc2-tsc-2017 CC3.2', '~nist-csf-2.0 ID.RA-06'],
      ...['~eu-ai-act Art. 9(2)', '~nist-ai-rmf-1.0 MANAGE 1.2'],
    ],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (risk) => {
        const isHigh = ['high', 'very_high'].includes(risk.text('rating'))
        const isUntreated = isHigh && !(risk.flag('has_owner') && risk.flag('has_treatment'))
        if (isOlder(risk.text('reviewed_at'), atMs, reviewDays))
          return itemOf(risk.text('id'), `was not reviewed for ${reviewDays} days`)
        return itemOf(risk.text('id'), isUntreated ? 'is high and has no owner or no treatment' : null)
      }),
  }),
  defineCheck({
    id: 'risk.top_quantified',
    version: 1,
    title: 'The ten highest risks have a quantitative analysis of the last 180 days',
    severity: 'low',
    reads: [{ fact: 'risk.open_risks' }],
    population: 'The ten open risks with the highest scores',
    freshnessDays: 30,
    triggers: ['risk.simulation.completed'],
    claims: ['~nist-csf-2.0 ID.RA-05', '~soc2-tsc-2017 CC3.2', '~nist-ai-rmf-1.0 MAP 5.1', '~iso-27001-2022 6.1.2'],
    evaluate: ([fact], { atMs }) => {
      const total = fact?.number('total') ?? 0
      const most = Math.min(topRisks, total)
      const items = (fact?.list('items') ?? []).slice(0, topRisks).map((risk) => {
        const isOld = isOlder(risk.maybeText('quantified_at'), atMs, quantifiedDays)
        return itemOf(risk.text('id'), isOld ? `has no analysis of the last ${quantifiedDays} days` : null)
      })
      const recount = Math.min(topRisks, fact?.number('recount') ?? 0)
      return { items, population: most, recount }
    },
  }),
]

const recoveryChecks = [
  defineCheck({
    id: 'resilience.exercise',
    version: 1,
    title: 'Every scenario of an outage or a loss of data was exercised in the last year',
    severity: 'medium',
    reads: [{ fact: 'resilience.exercises' }],
    population: 'Approved scenarios of an outage or a loss of data, counted by kind; recounted one by one',
    freshnessDays: 30,
    triggers: ['resilience.experiment.completed'],
    claims: ['~iso-27001-2022 A.5.30', '~soc2-tsc-2017 A1.3', '~nist-csf-2.0 ID.IM-02', '~iso-27001-2022 A.5.29'],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (scenario) =>
        itemOf(
          scenario.text('id'),
          isOlder(scenario.maybeText('exercised_at'), atMs, 365) ? 'was not exercised in the last year' : null,
        ),
      ),
  }),
  defineCheck({
    id: 'resilience.rto_rpo',
    version: 1,
    title: 'The last timed restore of each service met its recovery objectives',
    severity: 'high',
    reads: [{ fact: 'resilience.restores' }],
    population: 'Services with a timed restore, by objective',
    freshnessDays: 30,
    triggers: ['resilience.objective.*', 'admin.restore.completed'],
    claims: ['~iso-27001-2022 A.8.13', '~iso-27001-2022 A.8.14', '~soc2-tsc-2017 A1.3', '~nist-csf-2.0 RC.RP-03'],
    evaluate: ([fact]) =>
      judgeEach(fact, (restore) => {
        const target = restore.maybeNumber('target_minutes')
        const id = `${restore.text('service')} ${restore.text('objective')}`
        if (target === null) return itemOf(id, 'has no objective')
        const minutes = restore.number('minutes')
        return itemOf(id, minutes > target ? `took ${minutes} minutes; ${target} are allowed` : null)
      }),
  }),
  defineCheck({
    id: 'cybertwins.critical_paths',
    version: 1,
    title: 'Every crown jewel was analyzed for attack paths in the last 30 days, and none is in a toxic combination',
    severity: 'high',
    reads: [{ fact: 'cybertwins.assets' }, { fact: 'cybertwins.reachability' }],
    population: 'Crown jewels of the twin, and toxic combinations of its newest analysis',
    freshnessDays: 7,
    triggers: ['cybertwins.analysis.completed'],
    claims: ['~iso-27001-2022 A.8.8', '~nist-csf-2.0 ID.RA-03', '~soc2-tsc-2017 CC7.1', '~owasp-agentic-2026 ASI08'],
    evaluate: ([assets, reachability], { atMs }) => {
      const analysis = reachability?.maybeObject('analysis') ?? null
      const isOld = isOlder(analysis?.maybeText('finished_at') ?? null, atMs, pathDays)
      const analyzed = new Set((analysis?.list('targets') ?? []).map((target) => target.text('target_id')))
      const jewels = (assets?.list('crown_jewels') ?? []).map((jewel) =>
        itemOf(
          jewel.text('id'),
          isOld || !analyzed.has(jewel.text('id')) ? `was not analyzed in ${pathDays} days` : null,
        ),
      )
      if (jewels.length === 0) return { items: [] }
      const toxic = (analysis?.list('toxic') ?? []).map((one) => itemOf(one.text('asset_id'), one.text('rule')))
      return { items: [...jewels, ...toxic] }
    },
  }),
]

export const exposureChecks = [...riskChecks, ...recoveryChecks]
