import { expect, test } from 'vitest'
import { ProblemError } from '../../../kernel/errors/problem.ts'
import { createHashQueue } from './queue.ts'

/** Work that ends when told to. */
function gate() {
  const opens: (() => void)[] = []
  let running = 0
  let most = 0
  return {
    work: async () => {
      running += 1
      most = Math.max(most, running)
      await new Promise<void>((open) => opens.push(open))
      running -= 1
    },
    openOne: () => opens.shift()?.(),
    running: () => running,
    most: () => most,
  }
}

test('C27 no more run at once than allowed, and all that wait get their turn', async () => {
  const queue = createHashQueue({ inFlight: 2, waiting: 64 })
  const { work, openOne, running, most } = gate()
  const all = Array.from({ length: 10 }, () => queue.run(work))
  for (let done = 0; done < 10; done += 1) {
    while (running() === 0) await Promise.resolve()
    openOne()
    await Promise.resolve()
  }
  await Promise.all(all)
  expect(most()).toBe(2)
})

test('C27 one more than may wait is refused at once and told when to come back', async () => {
  const queue = createHashQueue({ inFlight: 1, waiting: 2 })
  const { work, openOne } = gate()
  const kept = [queue.run(work), queue.run(work), queue.run(work)]
  const refused = await queue.run(work).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(ProblemError)
  expect(refused).toMatchObject({ code: 'API-009', status: 503, headers: { 'retry-after': '1' } })
  for (let left = 3; left > 0; left -= 1) {
    openOne()
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve()
  }
  await Promise.all(kept)
})

test('work that fails gives its place free', async () => {
  const queue = createHashQueue({ inFlight: 1, waiting: 0 })
  await expect(queue.run(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  await expect(queue.run(() => Promise.resolve('fine'))).resolves.toBe('fine')
})
