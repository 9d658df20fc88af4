import type { Simulation, SimulationResult, SimulationRow } from '../declared/simulation-schema.ts'

export function simulationView(row: SimulationRow, included: ReadonlySet<string>): Simulation {
  const { inputs: _inputs, result, ...shown } = row
  return { ...shown, result: result === null ? null : shownResult(result, included) }
}

function shownResult(
  { services, critical_path, timeline, ...rest }: SimulationResult,
  included: ReadonlySet<string>,
): Simulation['result'] {
  return {
    ...rest,
    services: services.map(({ histogram, ...service }) => ({
      ...service,
      ...(included.has('histogram') ? { histogram } : {}),
    })),
    ...(included.has('critical_path') ? { critical_path } : {}),
    ...(included.has('timeline') ? { timeline } : {}),
  }
}
