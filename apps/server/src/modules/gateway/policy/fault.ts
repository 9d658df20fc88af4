export interface Fault {
  readonly detail: string
  readonly pointer: string
}
