import { it } from 'vitest'
import { openWorld } from '../support/world.ts'
it('x', async () => {
  let t = Date.now(); const lap = (s: string) => { console.log(s, Date.now() - t); t = Date.now() }
  const w = await openWorld(); lap('open')
  const a = await w.tenant('alpha'); lap('tenant')
  await a.as('viewer'); lap('viewer')
  for (let i = 0; i < 100; i++) await a.admin.get('/iam/users'); lap('100 gets')
  for (let i = 0; i < 100; i++) await a.admin.get('/iam/users?zz=1'); lap('100 bad gets')
  await w.close(); lap('close')
})
