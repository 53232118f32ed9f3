/** What fails, while people use the service. */
export const faults = [
  "backends terminated",
  "request lost",
  "answer lost",
  "connections cut",
  "service killed",
] as const;

export type Fault = (typeof faults)[number];
