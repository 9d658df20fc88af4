/**
 * Sessions of MCP over three instances behind a balancer that sends each request to the next one: clients and servers of
 * the official SDKs of both eras, with questions in between. `PARAPET_TEST_MCP_SESSIONS` is their number, 1,000 in a long run.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { titleOf } from '../../src/kernel/testing/services.ts'
import { connectSdk } from '../../src/modules/aegis/mcp/testing/sdk-client.ts'
import { openSdkServer, type SdkServer, sdks } from '../../src/modules/aegis/mcp/testing/sdk-server.ts'
import { expectCall, signIn } from '../support/http.ts'
import { openRoundRobin, type RoundRobin } from '../support/round-robin.ts'
import { ofRound } from '../support/sampled.ts'
import { password } from '../support/world.ts'
import { type Cluster, openCluster, surroundings } from './cluster.ts'

const sessions = Number(process.env.PARAPET_TEST_MCP_SESSIONS ?? 40)
const atOnce = 12

for (const { name, withServices, skip } of ofRound(surroundings)) {
  describe.skipIf(skip !== null)(titleOf(`MCP sessions on three instances ${name}`, skip), () => {
    let cluster: Cluster
    let balancer: RoundRobin
    let key: string
    const upstreams: SdkServer[] = []

    const send = async (method: 'GET' | 'POST' | 'PATCH', path: string, body?: object, token = cluster.token) => {
      const status = method === 'POST' && !path.endsWith('/transition') && !path.startsWith('/auth/') ? 201 : 200
      return (await expectCall(cluster.a.address, path, { method, token, status, body })).data
    }

    /** A person who may approve, with a password of their own choice. */
    const approver = async (): Promise<string> => {
      const roles = await send('GET', '/iam/roles')
      const role = roles.find(({ name: known }: { readonly name: string }) => known === 'security_admin')
      const email = 'approver@default.example'
      const user = await send('POST', '/iam/users', { email, role_ids: [role.id], delivery: 'invite' })
      await send('POST', '/auth/invitations/accept', { token: user.invitation_url.split('#')[1], password })
      const database = new pg.Client({ connectionString: cluster.databaseUrl })
      await database.connect()
      await database.query('update iam_user set credentials_set_by = null, credentials_set_at = null')
      await database.end()
      return signIn(cluster.a.address, email)
    }

    const place = async (slug: string, upstream: SdkServer): Promise<void> => {
      const facts = { slug, url: upstream.url, internal: true, default_action: 'allow', trust: 'reviewed' }
      const server = await send('POST', '/aegis/mcp-servers', facts)
      const tools = `/aegis/mcp-servers/${server.id}/tools`
      for (const { id, candidate_sha256: pin } of await send('GET', `${tools}?limit=100`))
        await send('PATCH', `${tools}/${id}`, { decision: 'approve', pin_sha256: pin })
    }

    const agentKey = async (): Promise<string> => {
      const me = await send('GET', '/auth/me')
      const agent = await send('POST', '/aegis/agents', {
        ...{ name: 'Caller', slug: 'caller', owner_user_id: me.user.id, purpose: 'Calls over all instances' },
        ...{ environment: 'prod', data_classes: ['public'], autonomy_level: 1, untrusted_input: false },
        tools: [{ server_slug: '*', tool: '*', capability: 'read' }],
      })
      const second = await approver()
      const move = (transition: string, token = cluster.token) =>
        send('POST', `/aegis/agents/${agent.id}/transition`, { transition }, token)
      await move('submit')
      await move('approve', second)
      await move('activate')
      const credential = { kind: 'api_key', api_key: { name: 'caller' } }
      return (await send('POST', `/aegis/agents/${agent.id}/credentials`, credential)).secret
    }

    beforeAll(async () => {
      cluster = await openCluster({ withServices, environment: { PARAPET_GATEWAY_PRIVATE_UPSTREAMS: '127.0.0.0/8' } })
      const c = await cluster.start('c')
      balancer = await openRoundRobin([cluster.a, cluster.b, c].map(({ address }) => address))
      for (const sdk of sdks) {
        const upstream = await openSdkServer(sdk)
        upstreams.push(upstream)
        await place(sdk, upstream)
      }
      key = await agentKey()
    })
    afterAll(async () => {
      await Promise.all(upstreams.map((each) => each.close()))
      await balancer?.close()
      await cluster?.close()
    })

    /** One session from its opening to its end; gives what it did not get. */
    const live = async (n: number): Promise<string[]> => {
      const ours = sdks[n % 2] ?? 'v1'
      const theirs = sdks[Math.floor(n / 2) % 2] ?? 'v1'
      const wrong: string[] = []
      const see = (what: string, got: unknown, wanted: unknown): void => {
        if (got !== wanted) wrong.push(`${ours} to ${theirs}, ${what}: ${JSON.stringify(got)}`)
      }
      try {
        const client = await connectSdk(ours, `${balancer.address}/api/v1/aegis/mcp/${theirs}`, key)
        see('list', (await client.page()).tools.length, 8)
        for (const text of ['one', 'two', 'three'])
          see('call', (await client.call('echo', { text })).content[0].text, `echo {"text":"${text}"}`)
        see('question', (await client.call('greet')).content[0].text, 'Hello Ada')
        see('two questions', (await client.call('twice')).content[0].text, 'Hello Ada and Ada')
        await client.close()
      } catch (error) {
        wrong.push(`${ours} to ${theirs}: ${error instanceof Error ? error.message : String(error)}`)
      }
      return wrong
    }

    it('are never lost, and their questions find their calls', { timeout: 120_000 + sessions * 2_000 }, async () => {
      const wrong: string[] = []
      let next = 0
      const work = async (): Promise<void> => {
        while (next < sessions) {
          const n = next
          next += 1
          wrong.push(...(await live(n)))
        }
      }
      await Promise.all(Array.from({ length: atOnce }, work))
      expect(wrong).toEqual([])
    })
  })
}
