export {
  type AnnualLossCopulaSettings,
  createAnnualLossCopula,
} from './dependence/annual-loss-copula.ts'
export {
  type CorrelatedSettings,
  type CorrelatedVariable,
  createCorrelatedSimulation,
} from './dependence/correlated-portfolio.ts'
export {
  CorrelationError,
  type CorrelationFactor,
  type CorrelationInput,
  factorCorrelation,
  type Matrix,
  nearestCorrelation,
  pearsonOfSpearman,
} from './dependence/correlation.ts'
export { lawOf } from './distributions/law.ts'
export { type Distribution, type Law, ModelError } from './distributions/specification.ts'
export { type QuantileTable, quantileAt, tableOf } from './distributions/table.ts'
export { AnnualLossLaw } from './loss/annual-loss-law.ts'
export { exactAnnualLoss, type LossMoments, momentsOf } from './loss/compound.ts'
export {
  type CountLaw,
  type FairModel,
  type FairNodes,
  type LossForm,
  type LossNode,
  lossForms,
  type NamedDistribution,
  type NodeName,
  type ScenarioPlan,
} from './loss/fair-model.ts'
export { planOf } from './loss/plan.ts'
export { vulnerabilityOf } from './loss/vulnerability.ts'
export { betaRegularized, logBeta } from './numeric/beta.ts'
export { exp, expm1, log, log1p, power } from './numeric/exp-log.ts'
export { gammaP, gammaQ, logGamma } from './numeric/gamma.ts'
export { normalCdf, normalDensity, normalQuantile } from './numeric/normal.ts'
export { RandomStream, type SeedKey, seedKey } from './random/stream.ts'
export { draw } from './sampling/kernels.ts'
export {
  blockCount,
  blockYears,
  createSimulation,
  type Simulation,
  type SimulationSettings,
} from './sampling/simulate.ts'
export {
  type Control,
  type ControlEffect,
  type ControlledNode,
  type ControlSettings,
  type ControlSimulation,
  createControlSimulation,
  summarizeControls,
} from './sensitivity/control-effect.ts'
export { type SobolIndex, type SobolSettings, sobolIndices } from './sensitivity/sobol-indices.ts'
export { type TornadoBar, tornado } from './sensitivity/tornado.ts'
export { type Allocation, allocateTail } from './summary/allocation.ts'
export { type OrderedSample, orderSample } from './summary/order-statistics.ts'
export {
  type Interval,
  type LossSummary,
  relativeError,
  type StopStatistic,
  stopCheckpoints,
  summarize,
  type TailStatistics,
} from './summary/summary.ts'
