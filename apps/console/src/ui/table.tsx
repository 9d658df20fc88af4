import type { ReactNode } from 'react'
import { A } from './link'

export interface Column<T> {
  readonly name: string
  readonly show: (row: T) => ReactNode
  readonly right?: boolean
  readonly clip?: boolean
}

interface TableProps<T> {
  readonly label: string
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** Address of a row's detail; the first cell links there. */
  readonly hrefOf?: (row: T) => string
  readonly openKey?: string | undefined
}

export function Table<T>({ label, columns, rows, keyOf, hrefOf, openKey }: TableProps<T>) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard (WCAG 2.1.1).
    <section className="table-box" aria-label={label} tabIndex={0}>
      <table className="table">
        <thead>
          <tr>
            {columns.map(({ name, right }) => (
              <th key={name} scope="col" className={right === true ? 'right' : ''}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={keyOf(row)} row={row} columns={columns} href={hrefOf?.(row)} open={keyOf(row) === openKey} />
          ))}
        </tbody>
      </table>
    </section>
  )
}

interface RowProps<T> {
  readonly row: T
  readonly columns: readonly Column<T>[]
  readonly href: string | undefined
  readonly open: boolean
}

function Row<T>({ row, columns, href, open }: RowProps<T>) {
  return (
    <tr data-link={href} data-open={open}>
      {columns.map(({ name, show, right, clip }, index) => (
        <td key={name} className={`${right === true ? 'right' : ''} ${clip === true ? 'clip' : ''}`}>
          {index === 0 && href !== undefined ? (
            <A href={href} className="row-link">
              {show(row)}
            </A>
          ) : (
            show(row)
          )}
        </td>
      ))}
    </tr>
  )
}
