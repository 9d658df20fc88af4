/**
 * Holds needs and fillings of all ports against each other before anything is made, and hands the fillings to the readers
 * once every module stands. So two modules may need each other's ports, while the order in which they are made stays that
 * of the list. Tested in ports.test.ts.
 */
import type { Need, Port, PortFilling } from './port.ts'

/** A module, or the kernel, as far as ports are concerned. */
export interface PortUser {
  readonly name: string
  readonly needs: readonly Port[]
  readonly fills: readonly PortFilling<unknown>[]
}

export interface Ports {
  /** @throws TypeError for a user that is not among those given */
  needsOf(name: string): Need
  /** Makes every filling, in the order of the users, and opens the ports. Called once, when all services are made. */
  open(servicesOf: (name: string) => unknown): void
}

/** Answers to readers of one port; `isOpen` is false where reading is too early. */
interface Cell {
  value: unknown
  isOpen: boolean
}

/** @throws TypeError that names port and module where needs and fillings do not match */
export function createPorts(users: readonly PortUser[]): Ports {
  refuseMismatches(users)
  const cells = new Map<Port, Cell>()
  for (const port of new Set(users.flatMap(({ needs }) => needs)))
    cells.set(port, { value: port.default?.value, isOpen: port.default !== null })
  return {
    needsOf: (name) => needsOf(userNamed(users, name), cells),
    open: (servicesOf) => {
      const made = users.flatMap(({ name, fills }) =>
        fills.map(({ port, value }) => ({ port, value: value(servicesOf(name)) })),
      )
      for (const [port, cell] of cells) {
        const values = made.filter((filling) => filling.port === port).map(({ value }) => value)
        if (port.cardinality === 'many') cell.value = values
        else if (values.length > 0) cell.value = values[0]
        cell.isOpen = true
      }
    },
  }
}

function userNamed(users: readonly PortUser[], name: string): PortUser {
  const user = users.find((one) => one.name === name)
  if (user === undefined) throw new TypeError(`${name} has no ports: it is not in the list of modules`)
  return user
}

function needsOf({ name, needs }: PortUser, cells: ReadonlyMap<Port, Cell>): Need {
  return <R>(port: Port<unknown, R>) => {
    const cell = needs.includes(port) ? cells.get(port) : undefined
    if (cell === undefined)
      throw new TypeError(`${name} reads the port ${port.name}, which its manifest does not name in needs`)
    return () => {
      if (!cell.isOpen) throw new TypeError(`${name} reads the port ${port.name} before all modules are made`)
      return cell.value as R
    }
  }
}

function refuseMismatches(users: readonly PortUser[]): void {
  const named = new Map<string, Port>()
  const needed = new Set(users.flatMap(({ needs }) => needs))
  const filledBy = new Map<Port, string>()
  for (const { name, needs, fills } of users) {
    for (const port of [...needs, ...fills.map((filling) => filling.port)]) {
      if ((named.get(port.name) ?? port) !== port) throw new TypeError(`the port ${port.name} is defined twice`)
      named.set(port.name, port)
    }
    for (const { port } of fills) {
      if (!needed.has(port))
        throw new TypeError(`${name} fills the port ${port.name}, which no manifest names in needs`)
      const other = filledBy.get(port)
      if (port.cardinality === 'one' && other !== undefined)
        throw new TypeError(`the port ${port.name} takes one filling, and both ${other} and ${name} fill it`)
      filledBy.set(port, name)
    }
  }
  for (const { name, needs } of users)
    for (const port of needs)
      if (port.default === null && !filledBy.has(port))
        throw new TypeError(`${name} needs the port ${port.name}, which no module fills`)
}
