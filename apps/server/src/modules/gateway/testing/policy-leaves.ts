/** Every setting of a policy by its path: `limits[].per`, and `*` where the name of a member is the tenant's or one of many. */
interface Shape {
  readonly type?: string
  readonly properties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: boolean | Shape
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

export function leavesOf(shape: Shape, path = ''): readonly string[] {
  const inner = shape.anyOf?.find(({ type }) => type === 'object') ?? shape
  const { properties, additionalProperties: any, items } = inner
  if (typeof any === 'object') return leavesOf(any, `${path}.*`)
  if (properties !== undefined) return leavesOfMembers(properties, path)
  if (items?.properties !== undefined) return leavesOf(items, `${path}[]`)
  return [path]
}

function leavesOfMembers(members: Readonly<Record<string, Shape>>, path: string): readonly string[] {
  const named = Object.entries(members).map(([name, member]) => ({ name, member }))
  const [first] = named
  // Switches of one form that differ by their name only, as of the families of injections.
  if (first?.member.type === 'object' && named.every(({ member }) => isSame(member, first.member)) && named.length > 3)
    return leavesOf(first.member, `${path}.*`)
  return named.flatMap(({ name, member }) => leavesOf(member, path === '' ? name : `${path}.${name}`))
}

const isSame = (a: Shape, b: Shape): boolean => JSON.stringify(a) === JSON.stringify(b)
