/** Background activity with a life: started after the modules, stopped before the ports close. */
export interface Activity {
  readonly name: string
  start(): Promise<void>
  stop(): Promise<void>
}
