/**
 * Every suite runs as the server does, without `__proto__`, and must leave the prototypes that all objects share as it
 * found them: what changes one, a library that merges names of strangers for instance, changes the whole process.
 */
import { afterAll, expect } from 'vitest'
import { removeProtoAccessor } from '../apps/server/src/kernel/base/harden.ts'

removeProtoAccessor()

const shared = { Object, Array, Function, String, Number, Boolean, Date, RegExp, Promise, Map, Set, Error, Uint8Array }

const snapshot = () =>
  new Map(
    Object.entries(shared).flatMap(([name, { prototype }]) =>
      Reflect.ownKeys(prototype).map(
        (key) => [`${name}.prototype.${String(key)}`, Reflect.getOwnPropertyDescriptor(prototype, key)] as const,
      ),
    ),
  )

const before = snapshot()

afterAll(() => {
  const after = snapshot()
  const changed = [...new Set([...before.keys(), ...after.keys()])].filter((name) => {
    const [was, is] = [before.get(name), after.get(name)]
    return was?.value !== is?.value || was?.get !== is?.get || was?.set !== is?.set
  })
  expect(changed, 'prototypes that this suite changed').toEqual([])
})
