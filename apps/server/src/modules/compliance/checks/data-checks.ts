/** Checks of data governance and answers. Tested in run-check.test.ts and populations.test.ts. */
import { defineCheck } from './define.ts'
import type { FactData } from './fact-data.ts'
import { isOlder, itemOf, judgeEach } from './population.ts'

const levels = ['public', 'internal', 'confidential', 'restricted']

const governanceChecks = [
  defineCheck({
    id: 'data_gov.assets_classified',
    version: 1,
    title: 'At least 95 % of data assets have a confirmed classification',
    severity: 'medium',
    reads: [{ fact: 'data_gov.asset_labels' }],
    population: 'Registered data assets, counted by kind; recounted one by one',
    freshnessDays: 7,
    passShare: 0.95,
    triggers: ['data_gov.scan.completed', 'data_gov.label.changed'],
    claims: [
      ...['~iso-27001-2022 A.5.12', '~iso-27001-2022 A.5.13', '~gdpr Art. 30(1)', '~nist-csf-2.0 ID.AM-07'],
      ...['~eu-ai-act Art. 10(2)', '~iso-42001-2023 A.7.2', '~soc2-tsc-2017 C1.1'],
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (asset) =>
        itemOf(asset.text('id'), asset.flag('confirmed') ? null : 'has no confirmed classification'),
      ),
  }),
  defineCheck({
    id: 'data_gov.retention_enforced',
    version: 1,
    title: 'No data is kept past its maximum age without a legal hold',
    severity: 'high',
    reads: [{ fact: 'data_gov.retention_backlog' }],
    population: 'Active retention schedules',
    freshnessDays: 1,
    triggers: ['data_gov.hold.changed'],
    claims: ['~gdpr Art. 5(1)(e)', '~iso-27001-2022 A.8.10', '~iso-27001-2022 A.5.33', '~soc2-tsc-2017 C1.2'],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (schedule) => {
        const past = schedule.number('past')
        // Rows that came of age since the last run wait for the next one.
        const isLate = past > 0 && isOlder(schedule.maybeText('next_run_at'), atMs, 1)
        return itemOf(schedule.text('id'), isLate ? `${past} rows are past their maximum age` : null)
      }),
  }),
  defineCheck({
    id: 'data_gov.requests_on_time',
    version: 1,
    title: 'Every request of a data subject is within its legal time',
    severity: 'critical',
    reads: [{ fact: 'data_gov.request_deadlines' }],
    population: 'Requests of data subjects that are open or were completed in the last 90 days',
    freshnessDays: 1,
    triggers: ['data_gov.request.deadline_warned', 'data_gov.erasure.completed'],
    claims: ['~gdpr Art. 12(3)', '~gdpr Art. 15', '~gdpr Art. 17', '~iso-27001-2022 A.5.34', '~soc2-tsc-2017 P5.1'],
    evaluate: ([fact], { atMs }) =>
      judgeEach(fact, (request) => {
        const done = request.maybeText('completed_at')
        const isLate = (done === null ? atMs : Date.parse(done)) > Date.parse(request.text('due_at'))
        return itemOf(request.text('id'), isLate ? 'is past its legal time' : null)
      }),
  }),
  defineCheck({
    id: 'data_gov.flow_policy',
    version: 1,
    title: 'No provider takes data of a higher class than it is cleared for',
    severity: 'critical',
    reads: [{ fact: 'data_gov.model_flows' }, { fact: 'gateway.providers' }],
    population: 'Flows from a named dataset to a model, counted as edges; recounted with their ends',
    freshnessDays: 1,
    triggers: ['data_gov.flow.violated', 'data_gov.label.changed'],
    claims: [
      ...['~gdpr Art. 44', '~gdpr Art. 28(1)', '~iso-27001-2022 A.5.14', '~owasp-llm-2025 LLM02:2025'],
      ...['~eu-ai-act Art. 10(2)', '~soc2-tsc-2017 CC6.7'],
    ],
    evaluate: ([flows, providers]) => {
      const cleared = new Map(
        (providers?.list('providers') ?? []).map((one) => [one.text('name'), one.maybeText('max_classification')]),
      )
      return judgeEach(flows, (flow) => flowItem(flow, cleared))
    },
  }),
]

function flowItem(flow: FactData, cleared: ReadonlyMap<string, string | null>) {
  const [level, provider] = [flow.maybeText('level'), flow.text('provider')]
  const most = cleared.get(provider) ?? null
  const isAbove = level !== null && most !== null && levels.indexOf(level) > levels.indexOf(most)
  return itemOf(flow.text('id'), isAbove ? `${level} data goes to ${provider}, which may take ${most}` : null)
}

const workChecks = [
  defineCheck({
    id: 'svc_ai.grounding',
    version: 1,
    title: 'At least 90 % of answers of 30 days are supported by their sources',
    severity: 'medium',
    reads: [{ fact: 'svc_ai.supported_answers' }],
    population: 'Answers of the last 30 days that were given, counted by their state; recounted one by one',
    freshnessDays: 30,
    passShare: 0.9,
    claims: [
      ...['~owasp-llm-2025 LLM09:2025', '~nist-ai-rmf-1.0 MEASURE 2.5', '~eu-ai-act Art. 15(1)'],
      ...['~iso-42001-2023 A.6.2.4'],
    ],
    evaluate: ([fact]) =>
      judgeEach(fact, (answer) =>
        itemOf(answer.text('id'), answer.text('status') === 'answered' ? null : 'is supported in part'),
      ),
  }),
  defineCheck({
    id: 'platform.incident_workflow',
    version: 1,
    title: 'A workflow for serious incidents is enabled and was run in the last year',
    severity: 'high',
    reads: [{ fact: 'platform.enabled_workflows' }],
    population: 'Enabled workflows that alerts or kill switches start; the tenant where there are none',
    freshnessDays: 30,
    triggers: ['platform.workflow.completed'],
    claims: [
      ...['~eu-ai-act Art. 73(1)', '~eu-ai-act Art. 26(5)', '~iso-27001-2022 A.5.24', '~iso-27001-2022 A.5.26'],
      ...['~soc2-tsc-2017 CC7.4', '~nist-csf-2.0 RS.MA-01', '~gdpr Art. 33(1)'],
    ],
    evaluate: ([fact], { atMs }) => {
      const evaluation = judgeEach(fact, (workflow) => {
        const channels = workflow.texts('channels')
        if (!channels.some((channel) => /^aegis\.(?:alert|kill_switch|\*)/.test(channel))) return null
        const isOld = isOlder(workflow.maybeText('completed_at'), atMs, 365)
        return itemOf(workflow.text('key'), isOld ? 'was not run in the last year' : null)
      })
      return evaluation.items.length > 0 || evaluation.population !== evaluation.recount
        ? evaluation
        : { items: [itemOf('tenant', 'has no workflow for serious incidents')] }
    },
  }),
]

export const dataChecks = [...governanceChecks, ...workChecks]
