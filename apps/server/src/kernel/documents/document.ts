/**
 * A document as plain data, which every format is written from: equal documents give equal bytes. Pure.
 * Tested in modules/platform/reports/formats.test.ts.
 */
import type { Chart } from './charts.ts'

export type Cell = string | number | boolean | null

export interface Figure {
  readonly label: string
  readonly value: Cell
}

export interface DocumentTable {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly Cell[])[]
}

export interface DocumentSection {
  readonly title: string
  readonly description: string
  readonly figures: readonly Figure[]
  readonly charts: readonly Chart[]
  readonly tables: readonly DocumentTable[]
}

export interface WrittenDocument {
  readonly title: string
  /** Short, for the properties of the file. */
  readonly subject: string
  /** Version of the program that wrote it. */
  readonly product_version: string
  /** ISO time of the data: the only time in the file. */
  readonly snapshot_at: string
  /** Sentence below the title, after the time of the data. */
  readonly origin: string
  /** Paragraphs before the first section. */
  readonly notes: readonly string[]
  /** SHA-256 of the content, of which the id of the file is made. */
  readonly digest: string
  readonly sections: readonly DocumentSection[]
}
