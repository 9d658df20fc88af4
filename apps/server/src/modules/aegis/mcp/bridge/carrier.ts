/**
 * Carries content of calls from one instance to the others by the change feed, sealed, because the feed is a table.
 * Tested in bridge-parts.test.ts.
 */
import type { TenantId } from '../../../../kernel/access/actor.ts'
import { boundTo, open, seal } from '../../../../kernel/crypto/envelope.ts'
import type { Kernel } from '../../../../kernel/kernel.ts'
import type { Members } from '../wire/json-rpc.ts'

export interface Carried {
  readonly topic: string
  /** Content of one key arrives in the order in which it was sent. */
  readonly key: string
  readonly content: Members
}

export interface Carrier {
  /** @throws ContentTooLarge */
  send(tenantId: TenantId, carried: Carried): Promise<void>
  /** Null for data that was not sent with this key. */
  open(key: string, data: Members): unknown
}

export class ContentTooLarge extends Error {}

/** Bytes of one message between instances. */
const largestContent = 1_048_576

export function createCarrier({ db, platformKeys, random }: Pick<Kernel, 'db' | 'platformKeys' | 'random'>): Carrier {
  const key = platformKeys.derive('aegis-mcp-carrier')
  const context = (name: string) => boundTo('mcp-carrier', name)
  return {
    send: async (tenantId, { topic, key: name, content }) => {
      // Long numbers keep their marks: it is the same form on both sides.
      const plaintext = Buffer.from(JSON.stringify(content))
      if (plaintext.byteLength > largestContent) throw new ContentTooLarge()
      const sealed = seal({ key, keyVersion: 1, nonce: random.bytes(12), context: context(name), plaintext })
      const data = { content: Buffer.from(sealed).toString('base64') }
      await db.tenant({ tenantId }, (tx) => tx.announce(topic, name, data))
    },
    open: (name, { content }) => {
      if (typeof content !== 'string') return null
      try {
        return JSON.parse(Buffer.from(open(key, context(name), Buffer.from(content, 'base64'))).toString())
      } catch {
        return null
      }
    },
  }
}
