export {
  type ControlChoice,
  type ControlChoiceInput,
  type ControlOption,
  chooseControls,
} from './decision/control-budget.ts'
export { type AnnualLossCopulaSettings, createAnnualLossCopula } from './dependence/annual-loss-copula.ts'
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
export { philox4x32 } from './random/philox.ts'
export { RandomStream, type SeedKey, seedKey } from './random/stream.ts'
export {
  type AvailabilityAnalysis,
  analyzeAvailability,
  type ComponentImportance,
  steadyStateAvailability,
} from './reliability/availability.ts'
export { type Bdd, type BddNode, BddSizeError, createBdd } from './reliability/bdd.ts'
export { type DataLossLaw, dataLossLaw } from './reliability/data-loss.ts'
export {
  constantDuration,
  type DurationLaw,
  longestOfDurations,
  mixtureOfDurations,
  sumOfDurations,
} from './reliability/duration-grid.ts'
export { createIndexedHeap, type IndexedHeap } from './reliability/indexed-heap.ts'
export type { OutageRecorder } from './reliability/outage-recorder.ts'
export { createOutageSimulator, type OutageSimulator, type Uniform } from './reliability/outage-simulation.ts'
export {
  createOutageStatistics,
  type OutageStatistics,
  type RecoveryObjective,
  type RecoverySummary,
  type ServiceOutages,
} from './reliability/outage-statistics.ts'
export {
  type CommonCause,
  type DataCopies,
  type Dependency,
  type Quantile,
  type Recovery,
  type RedundantGroup,
  type Service,
  type ServiceModel,
  ServiceModelError,
} from './reliability/service-model.ts'
export { component, kOfN, parallel, type Structure, series, works } from './reliability/structure.ts'
export { judgeObjective, type Verdict } from './reliability/verdict.ts'
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
export { type Cvss4, cvss4, type Nomenclature } from './severity/cvss4.ts'
export { type Cvss31, cvss31 } from './severity/cvss31.ts'
export { exploitationWithin } from './severity/epss.ts'
export { type Severity, severityOf } from './severity/rating.ts'
export {
  automatableLevels,
  exploitationLevels,
  missionLevels,
  type SsvcDecision,
  type SsvcInput,
  ssvcDecision,
  technicalImpactLevels,
} from './severity/ssvc.ts'
export { type MetricValues, VectorError } from './severity/vector.ts'
export { combinedScore, noveltyScore } from './statistics/anomaly-score.ts'
export {
  brierScore,
  calibrateIntervals,
  type IntervalCalibration,
  type IntervalEstimate,
  logScore,
  type ProbabilityEstimate,
} from './statistics/calibration.ts'
export { type EwmaChart, type EwmaOptions, ewmaChart, ewmaNext, isOutOfControl } from './statistics/ewma.ts'
export {
  type GammaBelief,
  type Observation,
  type RateSummary,
  summarizeRate,
  updateRate,
} from './statistics/gamma-poisson.ts'
export { type Histogram, jensenShannon, type MixShift, mixNoise, mixShift } from './statistics/jensen-shannon.ts'
export {
  createMarkovChain,
  isRareSequence,
  type MarkovChain,
  type MarkovChainOptions,
  type MarkovChainState,
  windowMeans,
} from './statistics/markov-chain.ts'
export {
  defaultLevelShiftRule,
  isLevelShift,
  type LevelShiftRule,
  median,
  medianAbsoluteDeviation,
  robustZ,
} from './statistics/robust-z.ts'
export { createTDigest, restoreTDigest, type TDigest, type TDigestState } from './statistics/t-digest.ts'
export { anscombe, arcsineRoot, arcsineRootDeviation } from './statistics/variance-stabilizing.ts'
export { wilsonInterval } from './statistics/wilson.ts'
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
