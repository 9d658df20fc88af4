/**
 * The contract of every database adapter, as one suite: values, errors, isolation, order, commit and rollback.
 * It runs on every adapter and on every server version there is a server for; features of a single adapter are tested
 * beside it. Run from contract.test.ts.
 */
import { afterAll, beforeAll, describe } from 'vitest'
import type { Driver } from '../port.ts'
import { isolationContract } from './contract-isolation.ts'
import { transactionContract } from './contract-transactions.ts'
import { valueContract } from './contract-values.ts'
import { type ContractWorld, openWorld } from './contract-world.ts'

export interface ContractAdapter {
  readonly name: string
  /** A prepared database with `contractSchema`. */
  readonly open: () => Promise<{ readonly driver: Driver; close(): Promise<void> }>
}

export function databaseContract(adapter: ContractAdapter): void {
  describe(`the database contract on ${adapter.name}`, () => {
    let world: ContractWorld | undefined
    beforeAll(async () => {
      world = await openWorld(adapter)
    })
    afterAll(() => world?.close())
    const get = (): ContractWorld => {
      if (world === undefined) throw new Error('The world is not open')
      return world
    }
    valueContract(get)
    isolationContract(get)
    transactionContract(get)
  })
}
