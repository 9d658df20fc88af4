import { test } from 'vitest'
import { accept, openWorld, password } from '../../../test/support/world.ts'
import { sql } from '../../kernel/db/sql.ts'

test('timing', async () => {
  const world = await openWorld({ environment: { PARAPET_TRUSTED_PROXIES: '127.0.0.1/32' } })
  const tenant = await world.tenant('acme')
  const role = (await tenant.admin.get('/iam/roles?q=viewer')).body.data[0].id
  const N = 60
  for (let i = 0; i < N; i++) {
    for (const k of ['known', 'susp']) {
      const u = (await tenant.admin.post('/iam/users', { email: `${k}${i}@acme.example`, role_ids: [role] })).body.data
      await accept(world.stranger, u.invitation_url)
      if (k === 'susp')
        await world.kernel.db.tenant({ tenantId: tenant.id }, (tx) =>
          tx.execute(sql`update iam_user set status = 'suspended' where id = ${u.id}`),
        )
    }
  }
  const times: Record<string, number[]> = { known: [], susp: [], nobody: [] }
  let ip = 0
  for (let round = 0; round < 4; round++)
    for (let i = 0; i < N; i++) {
      const order = ['known', 'susp', 'nobody'].sort(() => Math.random() - 0.5)
      for (const k of order) {
        ip++
        const t = performance.now()
        const a = await world.stranger.post(
          '/auth/login',
          { email: `${k}${i}@acme.example`, password: k === 'susp' ? password : 'wrong' },
          { headers: { 'x-forwarded-for': `${10 + (ip >> 16)}.${(ip >> 8) & 255}.${ip & 255}.1` } },
        )
        const d = performance.now() - t
        if (a.status !== 401) throw new Error(a.text)
        if (round + i > 3) times[k]!.push(d)
      }
    }
  const med = (x: number[]) => [...x].sort((a, b) => a - b)[x.length >> 1]!
  const u = (a: number[], b: number[]) => {
    // Mann-Whitney z
    const all = [...a.map((v) => [v, 0] as const), ...b.map((v) => [v, 1] as const)].sort((x, y) => x[0] - y[0])
    let r = 0
    all.forEach(([, g], i) => {
      if (g === 0) r += i + 1
    })
    const n = a.length,
      m = b.length
    return (r - (n * (n + 1)) / 2 - (n * m) / 2) / Math.sqrt((n * m * (n + m + 1)) / 12)
  }
  console.log({
    n: times.known!.length,
    known: med(times.known!),
    susp: med(times.susp!),
    nobody: med(times.nobody!),
    zKN: u(times.known!, times.nobody!),
    zKS: u(times.known!, times.susp!),
    zSN: u(times.susp!, times.nobody!),
  })
  // throughput
  const t0 = performance.now()
  const lat: number[] = []
  await Promise.all(
    Array.from({ length: 8 }, async (_, w) => {
      for (let i = 0; i < 25; i++) {
        const t = performance.now()
        const a = await world.stranger.post(
          '/auth/login',
          { email: `known${w}@acme.example`, password },
          { headers: { 'x-forwarded-for': '10.99.0.1' } },
        )
        lat.push(performance.now() - t)
        if (a.status !== 200) throw new Error(a.text)
      }
    }),
  )
  console.log('logins/s', 200 / ((performance.now() - t0) / 1000), 'p95', lat.sort((a, b) => a - b)[190])
  await world.close()
}, 200000)
