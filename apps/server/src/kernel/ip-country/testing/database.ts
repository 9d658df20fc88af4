/**
 * Writes a file in MaxMind's format, version 2, for tests: a search tree of 24-bit records over IPv6 addresses, in which
 * IPv4 networks stand below ::/96, then the records and the metadata (https://maxmind.github.io/MaxMind-DB/).
 */
import { parseCIDR } from 'ipaddr.js'

type Value = string | number | { readonly [name: string]: Value } | readonly string[]

const types = { string: 2, uint16: 5, uint32: 6, map: 7, uint64: 9, array: 11 } as const

function control(type: number, size: number): Buffer {
  if (size > 28) throw new RangeError('longer values are not written here')
  return type > 7 ? Buffer.from([size, type - 7]) : Buffer.from([(type << 5) | size])
}

function encoded(value: Value): Buffer {
  if (typeof value === 'string')
    return Buffer.concat([control(types.string, Buffer.byteLength(value)), Buffer.from(value)])
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(value)
    return Buffer.concat([control(types.uint32, 4), bytes])
  }
  if (Array.isArray(value)) return Buffer.concat([control(types.array, value.length), ...value.map(encoded)])
  const members = Object.entries(value)
  return Buffer.concat([
    control(types.map, members.length),
    ...members.flatMap(([name, member]) => [encoded(name), encoded(member)]),
  ])
}

function bitsOf(network: string): readonly number[] {
  const [address, length] = parseCIDR(network)
  const bytes = address.toByteArray()
  const bits = bytes.flatMap((byte) => Array.from({ length: 8 }, (_, at) => (byte >> (7 - at)) & 1))
  const within = bits.slice(0, length)
  return address.kind() === 'ipv6' ? within : [...Array.from({ length: 96 }, () => 0), ...within]
}

type Branch = { node: number } | { record: number } | null

/** @param networks what is known of each; of networks within each other the wider comes first */
export function addressDatabase(networks: readonly (readonly [string, Value])[], builtAt: Date): Buffer {
  const nodes: [Branch, Branch][] = [[null, null]]
  const records: Buffer[] = []
  let size = 0
  for (const [network, value] of networks) {
    const bits = bitsOf(network)
    let at = 0
    bits.forEach((bit, depth) => {
      const node = nodes[at]
      if (node === undefined) throw new RangeError('the tree has no such node')
      const branch = node[bit as 0 | 1]
      if (depth === bits.length - 1) {
        node[bit as 0 | 1] = { record: size }
        return
      }
      if (branch !== null && 'node' in branch) {
        at = branch.node
        return
      }
      nodes.push([branch, branch])
      at = nodes.length - 1
      node[bit as 0 | 1] = { node: at }
    })
    const record = encoded(value)
    records.push(record)
    size += record.length
  }
  const tree = Buffer.alloc(nodes.length * 6)
  nodes.forEach((node, index) => {
    node.forEach((branch, side) => {
      const pointer =
        branch === null ? nodes.length : 'node' in branch ? branch.node : nodes.length + 16 + branch.record
      tree.writeUIntBE(pointer, index * 6 + side * 3, 3)
    })
  })
  const metadata = encoded({
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
    build_epoch: Math.floor(builtAt.getTime() / 1000),
    database_type: 'Test-Country',
    description: { en: 'Of a test' },
    ip_version: 6,
    languages: ['en'],
    node_count: nodes.length,
    record_size: 24,
  })
  const marker = Buffer.concat([Buffer.from([0xab, 0xcd, 0xef]), Buffer.from('MaxMind.com')])
  return Buffer.concat([tree, Buffer.alloc(16), ...records, marker, metadata])
}
