/** Tools of an MCP server from their first approval to a changed definition, and held calls of an agent. */
import { openPage, signIn } from './browser.mjs'
import { callTool, openMcpServer } from './mcp-server.mjs'

const slug = 'sums'

export async function firewall(browser, demo, checks) {
  const upstream = await openMcpServer()
  const invited = await demo.invite({ email: 'second@example.com', role: 'security_admin' })
  const colleague = await invited.accept()
  const { page, context, complaints } = await openPage(browser, demo.address, { colorScheme: 'dark' })
  await signIn(page, demo.account)
  const stage = { ...demo, page, checks, upstream, colleague }
  await emptyQueue(stage)
  await approveTools(stage)
  await changedTool(stage)
  await approvals(browser, stage)
  checks.equal('complaints of the firewall’s pages', complaints.join('\n'), '')
  await context.close()
  await upstream.close()
}

async function emptyQueue({ page, checks }) {
  for (const [path, words] of [
    ['/aegis/approvals', 'No call waits for a person'],
    ['/aegis/mcp-servers', 'No MCP server is registered'],
  ]) {
    await page.goto(path)
    await page.getByText(words).waitFor()
    await checks.accessible(`${path}, empty`, page)
  }
}

async function approveTools({ page, api, upstream, checks }) {
  const body = { slug, name: 'Sums', url: upstream.url, internal: true, default_action: 'allow', trust: 'reviewed' }
  const made = await api.post('/aegis/mcp-servers', body)
  checks.equal('the server is registered', made.status, 201)
  await page.goto('/aegis/mcp-servers')
  await page.getByRole('link', { name: 'Sums' }).click()
  const drawer = page.getByRole('dialog')
  await drawer.getByTestId('tool-count').waitFor()
  const { total } = (await api.get(`/aegis/mcp-servers/${made.body.data.id}`)).data.tools
  checks.equal('tools of the server', await drawer.getByTestId('tool-count').innerText(), `${total} of ${total} tools`)
  await checks.accessible('MCP server', page)
  await drawer.getByRole('button', { name: 'Approve get-sum' }).click()
  await drawer.getByRole('button', { name: 'Approve get-sum' }).waitFor({ state: 'detached' })
  await drawer.getByRole('button', { name: 'Deny get-env' }).click()
  await drawer.getByRole('button', { name: 'Deny get-env' }).waitFor({ state: 'detached' })
  checks.equal('decisions about tools', await statuses(api), 'get-env denied, get-sum approved')
}

const toolsOf = async (api) => {
  const [server] = (await api.get(`/aegis/mcp-servers?q=${slug}`)).data
  return (await api.get(`/aegis/mcp-servers/${server.id}/tools?limit=100`)).data.map((tool) => ({ ...tool, server }))
}

const statuses = async (api) =>
  (await toolsOf(api))
    .map(({ name, status }) => `${name} ${status}`)
    .sort()
    .join(', ')

/** The open page hears of a changed definition and shows the lines that differ. */
async function changedTool({ page, api, upstream, checks }) {
  const [{ server }] = await toolsOf(api)
  upstream.tools[0] = { ...upstream.tools[0], description: 'Adds two numbers and remembers them.' }
  await api.post(`/aegis/mcp-servers/${server.id}/scan`, {})
  const drawer = page.getByRole('dialog')
  await drawer.getByText('Changed since its approval').waitFor()
  const tool = (await toolsOf(api)).find(({ name }) => name === 'get-sum')
  const diff = drawer.getByTestId('tool-diff').first()
  checks.equal('lines that came', await diff.locator('[data-mark="added"]').count(), 1)
  checks.equal('lines that went', await diff.locator('[data-mark="removed"]').count(), 1)
  checks.expect(
    'the number of changes is the API’s',
    (await drawer.getByText('Approved definition against the new one').first().innerText()).includes(
      `${tool.diff.length} change`,
    ),
  )
  checks.equal('the new pin', await drawer.getByTestId('candidate-pin').first().innerText(), tool.candidate_sha256)
  await checks.accessible('difference of a tool', page)
  await drawer.getByRole('button', { name: 'Approve get-sum' }).click()
  await drawer.getByRole('button', { name: 'Approve get-sum' }).waitFor({ state: 'detached' })
  const after = (await toolsOf(api)).find(({ name }) => name === 'get-sum')
  checks.equal('the approved pin is the one on the screen', after.pin_sha256, tool.candidate_sha256)
}

async function approvals(browser, stage) {
  const { page, api, direct, checks } = stage
  const key = await activeAgent(stage)
  await holdLargeSums(api)
  const agent = { api: direct, slug, key }
  await page.goto('/aegis/approvals')
  await page.locator('.live[data-at="live"]').waitFor()
  await callTool(agent, 'get-sum', { a: 2000, b: 3 })
  await page.getByRole('button', { name: '1 new: show' }).click()
  await page.getByRole('link', { name: `${slug}/get-sum` }).click()
  const [held] = (await api.get('/aegis/approvals?status=pending')).data
  const drawer = page.getByRole('dialog')
  checks.equal('the arguments', await drawer.getByTestId('arguments').textContent(), held.args_preview)
  checks.equal('their digest', await drawer.getByTestId('args-digest').innerText(), held.args_sha256)
  await checks.accessible('approval', page)
  await drawer.getByRole('button', { name: 'Approve this call' }).click()
  await drawer.getByText('Another person has to decide').waitFor()
  await checks.accessible('approval of another person', page)
  await decidedByColleague(browser, { ...stage, agent, held })
  await drawer.locator('[data-value="consumed"]').first().waitFor()
  checks.expect('the first page hears of the decision', true)
}

async function decidedByColleague(browser, { page: first, address, api, agent, held, colleague, checks }) {
  const { page, context, complaints } = await openPage(browser, address)
  await signIn(page, colleague)
  await page.goto(new URL(first.url()).pathname)
  const drawer = page.getByRole('dialog')
  await drawer.getByLabel('Reason').fill('Agreed by telephone')
  await drawer.getByRole('button', { name: 'Approve this call' }).click()
  await drawer.getByText('Agreed by telephone').waitFor()
  const said = await callTool(agent, 'get-sum', { a: 2000, b: 3 })
  checks.expect('the approved call is made', said.includes('The sum is 2003.'), said)
  const { status } = (await api.get('/aegis/approvals')).data.find(({ id }) => id === held.id)
  checks.equal('the approval is used', status, 'consumed')
  await callTool(agent, 'get-sum', { a: 9000, b: 1 })
  await page.goto('/aegis/approvals?status=pending')
  await page.getByRole('link', { name: `${slug}/get-sum` }).click()
  await drawer.getByLabel('Reason').fill('Not this sum')
  await drawer.getByRole('button', { name: 'Deny' }).click()
  await drawer.getByText('Not this sum').waitFor()
  const [denied] = (await api.get('/aegis/approvals?status=denied')).data
  checks.equal('the denial has its reason', denied.decisions[0].comment, 'Not this sum')
  checks.equal('complaints of the second person’s page', complaints.join('\n'), '')
  await context.close()
}

/** An agent that may call the tools, approved by the second person. @returns its key */
async function activeAgent({ api, as, colleague, checks }) {
  const me = (await api.get('/auth/me')).data.user.id
  const { data: agent } = (
    await api.post('/aegis/agents', {
      ...{ name: 'Calculator', slug: 'calculator', owner_user_id: me, purpose: 'Adds up the figures of a report' },
      ...{ environment: 'prod', data_classes: ['public'], autonomy_level: 1, untrusted_input: false },
      tools: [{ server_slug: slug, tool: 'get-*', capability: 'read' }],
    })
  ).body
  const second = await as(colleague)
  const move = (client, transition) => client.post(`/aegis/agents/${agent.id}/transition`, { transition })
  await move(api, 'submit')
  await move(second, 'approve')
  checks.equal('the agent is active', (await move(api, 'activate')).status, 200)
  const body = { kind: 'api_key', api_key: { name: 'run time' } }
  return (await api.post(`/aegis/agents/${agent.id}/credentials`, body)).body.data.secret
}

async function holdLargeSums(api) {
  const { data } = (
    await api.post('/aegis/guardrails', {
      ...{ name: 'Large sums', kind: 'tool', action: 'hold' },
      target: { server_slugs: [slug], tools: ['get-sum'] },
      checks: [{ type: 'cel', expression: 'args.a > 1000' }],
      action_config: { hold: { approver_roles: ['security_admin'], min_approvers: 1, timeout_seconds: 3600 } },
    })
  ).body
  for (const mode of ['monitor', 'enforce']) await api.post(`/aegis/guardrails/${data.id}/rollout`, { mode })
}
