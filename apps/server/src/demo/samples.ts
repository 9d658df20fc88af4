import type { Client } from '@parapet/sdk'
import { heading, line } from './print.ts'

interface SampleRisk {
  readonly title: string
  readonly category: string
  readonly inherent: Cell
  readonly residual: Cell
  readonly links?: object
  /** Times a year and cost of one time, each at least, most likely and at most; null where the risk is not quantified. */
  readonly estimate: { readonly times: Range; readonly cost: Range } | null
}

interface Cell {
  readonly likelihood: number
  readonly impact: number
}

type Range = readonly [low: number, mode: number, high: number]

const cell = (likelihood: number, impact: number): Cell => ({ likelihood, impact })

/** Made up, as everything in the demo's tenant. */
const sampleRisks: readonly SampleRisk[] = [
  {
    title: 'Prompt injection of the support assistant',
    category: 'ai_governance',
    inherent: cell(5, 4),
    residual: cell(3, 4),
    links: { threats: ['AML.T0051'] },
    estimate: { times: [0.5, 2, 5], cost: [10_000, 50_000, 300_000] },
  },
  {
    title: 'Customer data sent to a model provider',
    category: 'data_protection',
    inherent: cell(4, 5),
    residual: cell(2, 4),
    estimate: { times: [0.1, 0.5, 2], cost: [20_000, 120_000, 900_000] },
  },
  {
    title: 'Unapproved AI services in departments',
    category: 'third_party',
    inherent: cell(5, 3),
    residual: cell(4, 3),
    estimate: { times: [1, 4, 12], cost: [2_000, 15_000, 80_000] },
  },
  {
    title: 'Outage of the only model provider',
    category: 'operational',
    inherent: cell(3, 3),
    residual: cell(3, 2),
    estimate: null,
  },
  {
    title: 'Agent acts beyond its task',
    category: 'security',
    inherent: cell(3, 5),
    residual: cell(2, 5),
    estimate: null,
  },
  {
    title: 'Model answers breach a labeling duty',
    category: 'compliance',
    inherent: cell(2, 3),
    residual: cell(2, 2),
    estimate: null,
  },
]

const currency = 'USD'
const appetites = { tenant: { appetite: '100000', tolerance: '500000', capacity: '2000000', currency } }

/** Risks with their losses and an agent, so that the console has more to show than calls; an earlier run made them already. */
export async function addSamples(client: Client): Promise<void> {
  const { meta } = await client.get('/risk/register', { query: { limit: 1 } })
  if ((meta.pagination?.total_count ?? 0) > 0) return
  heading('Sample data')
  const { data: me } = await client.get<{ readonly user: { readonly id: string } }>('/auth/me')
  await client.patch('/admin/config', { values: { 'risk.appetites': appetites }, comment: 'Demo: bearable losses' })
  for (const risk of sampleRisks) await addRisk(client, me.user.id, risk)
  await addAgent(client, me.user.id)
  line(
    `${sampleRisks.length} risks, of which ${sampleRisks.filter(({ estimate }) => estimate).length} have a loss curve, and an agent`,
  )
}

async function addRisk(client: Client, owner_id: string, { estimate, ...risk }: SampleRisk): Promise<void> {
  const { data } = await client.post<{ readonly id: string }>('/risk/register', { ...risk, owner_id })
  if (estimate === null) return
  await client.post('/risk/fair/analyses', {
    ...{ risk_id: data.id, purpose: 'residual', currency },
    model: { nodes: { loss_event_frequency: pert(estimate.times), loss_magnitude: pert(estimate.cost) } },
    rationale: { loss_event_frequency: 'Demo: made up' },
  })
}

const pert = ([low, mode, high]: Range) => ({ type: 'pert', low, mode, high })

async function addAgent(client: Client, owner_user_id: string): Promise<void> {
  await client.post('/aegis/agents', {
    ...{ name: 'Support assistant', slug: 'support-assistant', owner_user_id },
    purpose: 'Demo: answers customers by mail from the knowledge base and opens tickets.',
    environment: 'prod',
    data_classes: ['internal', 'confidential'],
    autonomy_level: 3,
    untrusted_input: true,
    models: [{ provider: 'stand-in', model: '*' }],
    tools: [
      { server_slug: 'local', tool: 'search_articles', capability: 'read' },
      { server_slug: 'local', tool: 'send_mail', capability: 'external_send' },
    ],
    expected_calls_per_day: 400,
  })
}
