import { describe, expect, test, vi } from 'vitest'
import { Aborter } from './abort.ts'

const told = (): { readonly order: string[]; readonly tell: (name: string) => () => void } => {
  const order: string[] = []
  return { order, tell: (name) => () => order.push(name) }
}

describe('an aborter', () => {
  test('runs its listeners once, in their order, and none that was taken back', () => {
    const { order, tell } = told()
    const aborter = new Aborter()
    const second = tell('second')
    aborter.addEventListener('abort', tell('first'))
    aborter.addEventListener('abort', second)
    aborter.addEventListener('abort', tell('third'))
    aborter.removeEventListener('abort', second)
    aborter.abort('one')
    aborter.abort('two')
    aborter.addEventListener('abort', tell('late'))
    expect(order).toEqual(['first', 'third'])
    expect(aborter.reason).toBe('one')
    expect(() => aborter.throwIfAborted()).toThrow('one')
  })

  test('leaves out a listener that one before it takes back', () => {
    const { order, tell } = told()
    const aborter = new Aborter()
    const second = tell('second')
    aborter.addEventListener('abort', () => aborter.removeEventListener('abort', second))
    aborter.addEventListener('abort', second)
    aborter.abort()
    expect(order).toEqual([])
  })

  test('goes on behind a listener that fails, and lets it be known', () => {
    const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {})
    try {
      const { order, tell } = told()
      const aborter = new Aborter()
      aborter.addEventListener('abort', () => {
        throw new Error('broken')
      })
      aborter.addEventListener('abort', tell('next'))
      aborter.abort()
      expect(order).toEqual(['next'])
      expect(() => later.mock.calls[0]?.[0]()).toThrow('broken')
    } finally {
      later.mockRestore()
    }
  })

  test('has the reason of the standard where none is given', () => {
    const aborter = new Aborter()
    aborter.throwIfAborted()
    aborter.abort()
    expect(aborter.reason).toMatchObject({ name: 'AbortError' })
  })

  test('gives a real signal, before and after', () => {
    const aborter = new Aborter()
    const early = aborter.abortSignal
    expect(early.aborted).toBe(false)
    aborter.abort('why')
    expect(early.reason).toBe('why')
    const late = new Aborter()
    late.abort('because')
    expect(late.abortSignal.reason).toBe('because')
  })

  const real = () => {
    const controller = new AbortController()
    return { watch: controller.signal, abort: (reason: string) => controller.abort(reason) }
  }
  const own = () => {
    const aborter = new Aborter()
    return { watch: aborter, abort: (reason: string) => aborter.abort(reason) }
  }

  test.each([
    ['a real signal', real],
    ['another', own],
  ])('follows %s until it leaves it', (_, make) => {
    const [followed, left] = [make(), make()]
    const { aborter } = Aborter.following(followed.watch)
    const other = Aborter.following(left.watch)
    other.leave()
    followed.abort('over')
    left.abort('over')
    expect(aborter.reason).toBe('over')
    expect(other.aborter.aborted).toBe(false)
    expect(Aborter.following(followed.watch).aborter.reason).toBe('over')
  })

  test('that follows may abort alone', () => {
    const parent = new Aborter()
    const { aborter } = Aborter.following(parent)
    aborter.abort('alone')
    expect(parent.aborted).toBe(false)
    parent.abort('later')
    expect(aborter.reason).toBe('alone')
  })
})
