import { describe, expect, test } from 'vitest'
import type { ModuleName } from '../../access/permissions.ts'
import { assembleModules } from '../../assembly/modules.ts'
import type { Kernel } from '../../kernel.ts'
import { defineModule, type Module, type ModuleInput } from '../module.ts'
import { definePort, fill, type Need, type Port } from './port.ts'
import { createPorts } from './ports.ts'

/** Modules get the kernel handed on and these do not look into it. */
const kernel = Object.freeze({}) as Kernel

function module<S>(
  name: ModuleName,
  parts: Pick<ModuleInput<S, undefined>, 'services'> & Partial<ModuleInput<S, undefined>>,
) {
  const nothing = { prefix: name, errors: {}, tables: [], migrations: [], routes: [], emits: [] }
  return defineModule<S>({ ...nothing, name, ...parts })
}

/** As a start does it: held against each other, made in the order of the list, opened. */
function start(modules: readonly Module[]) {
  const ports = createPorts(modules)
  const made = assembleModules(kernel, modules, ports.needsOf)
  ports.open(made.servicesOf)
  return made
}

const ownerOf = definePort<(risk: string) => string>({ name: 'iam.owner_of', cardinality: 'one' })
const openRisks = definePort<() => number>({ name: 'risk.open_risks', cardinality: 'one' })

interface Asking {
  readonly ask: () => unknown
}

const reading = (name: ModuleName, port: Port, declared: readonly Port[] = [port]) =>
  module<Asking>(name, { needs: declared, services: (_kernel, _use, need) => ({ ask: need(port) }) })
const filling = (name: ModuleName, port: Port, value: unknown = 1) =>
  module(name, { services: () => undefined, fills: [fill(port, () => value)] })

describe('two modules that need each other', () => {
  const iam = module('iam', {
    needs: [openRisks],
    services: (_kernel, _use, need) => {
      const count = need(openRisks)
      return { owners: new Map([['fire', 'Ada']]), busy: () => count()() > 1 }
    },
    fills: [
      fill(
        ownerOf,
        ({ owners }: { owners: Map<string, string> }) =>
          (risk) =>
            owners.get(risk) ?? 'nobody',
      ),
    ],
  })
  const risk = module('risk', {
    needs: [ownerOf],
    services: (_kernel, _use, need) => {
      const owner = need(ownerOf)
      return { risks: ['fire', 'flood'], told: (name: string) => owner()(name) }
    },
    fills: [
      fill(
        openRisks,
        ({ risks }: { risks: string[] }) =>
          () =>
            risks.length,
      ),
    ],
  })

  test.each([
    ['one before the other', [iam, risk]],
    ['the other way round', [risk, iam]],
  ])('answer each other, made %s', (_order, modules) => {
    const made = start(modules)
    const asked = made.servicesOf('risk') as { told: (name: string) => string }
    expect([asked.told('fire'), asked.told('flood')]).toEqual(['Ada', 'nobody'])
    expect((made.servicesOf('iam') as { busy: () => boolean }).busy()).toBe(true)
  })

  test('cannot ask while they are being made', () => {
    const services = (_kernel: Kernel, _use: unknown, need: Need) => need(openRisks)()()
    const early = module('iam', { needs: [openRisks], services, fills: [fill(ownerOf, () => () => 'Ada')] })
    expect(() => start([early, risk])).toThrow('iam reads the port risk.open_risks before all modules are made')
  })
})

describe('the program does not start', () => {
  const one = definePort<number>({ name: 'iam.one', cardinality: 'one' })
  const withDefault = definePort<number>({ name: 'iam.fallback', cardinality: 'one', default: 5 })

  test.each<[string, readonly Module[], string]>([
    ['where nobody fills what is needed', [reading('iam', one)], 'iam needs the port iam.one, which no module fills'],
    [
      'where two fill what takes one',
      [reading('iam', one), filling('risk', one), filling('aegis', one)],
      'the port iam.one takes one filling, and both risk and aegis fill it',
    ],
    [
      'where one fills twice what takes one, default or not',
      [
        reading('iam', withDefault),
        module('risk', { services: () => 1, fills: [fill(withDefault, () => 1), fill(withDefault, () => 2)] }),
      ],
      'the port iam.fallback takes one filling, and both risk and risk fill it',
    ],
    [
      'where a filling is for a port that nobody declares',
      [filling('risk', one)],
      'risk fills the port iam.one, which no manifest names in needs',
    ],
    [
      'where a module reads what it does not declare',
      [reading('iam', one, []), reading('aegis', one), filling('risk', one)],
      'iam reads the port iam.one, which its manifest does not name in needs',
    ],
    [
      'where two ports have one name',
      [reading('iam', one), filling('risk', definePort<number>({ name: 'iam.one', cardinality: 'one' }))],
      'the port iam.one is defined twice',
    ],
  ])('%s', (_what, modules, message) => {
    expect(() => start(modules)).toThrow(message)
  })

  test('with a name that is no name of a port', () => {
    expect(() => definePort<number>({ name: 'one', cardinality: 'one' })).toThrow('one is not the name of a port')
  })

  test('for somebody who is not in the list', () => {
    expect(() => createPorts([]).needsOf('risk')).toThrow('risk has no ports')
  })
})

describe('a port', () => {
  const asked = (modules: readonly Module[]) => (start(modules).servicesOf('iam') as Asking).ask()

  test('that nobody fills has its default, also while modules are made', () => {
    const port = definePort<number>({ name: 'iam.fallback', cardinality: 'one', default: 5 })
    let early = 0
    const services = (_kernel: Kernel, _use: unknown, need: Need): Asking => {
      const ask = need(port)
      early = ask()
      return { ask }
    }
    const iam = module<Asking>('iam', { needs: [port], services })
    expect([asked([iam]), early]).toEqual([5, 5])
    expect([asked([iam, filling('risk', port, 7)]), early]).toEqual([7, 5])
  })

  test('of many has all fillings in the order of the modules, and none where there is none', () => {
    const port = definePort<string>({ name: 'iam.many', cardinality: 'many' })
    const twice = module('risk', { services: () => 'b', fills: [fill(port, (s: string) => s), fill(port, () => 'c')] })
    expect(asked([reading('iam', port)])).toEqual([])
    expect(asked([filling('aegis', port, 'a'), reading('iam', port), twice])).toEqual(['a', 'b', 'c'])
  })

  test('gives every reader the same filling, which is made once', () => {
    const port = definePort<object>({ name: 'iam.one', cardinality: 'one' })
    const made = start([
      reading('iam', port),
      reading('aegis', port),
      module('risk', { services: () => 1, fills: [fill(port, () => ({}))] }),
    ])
    const [one, other] = ['iam', 'aegis'].map((name) => (made.servicesOf(name) as Asking).ask())
    expect(one).toBe(other)
  })
})
