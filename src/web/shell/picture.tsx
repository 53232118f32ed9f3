/** A car that drives into a free bay between two taken ones. Only decoration. */
export const Picture = () => (
  <svg class="picture" viewBox="0 0 360 272" aria-hidden="true">
    <rect class="yard" width="360" height="272" rx="20" />
    <path class="bay" d="M22 118V24M128 118V24M232 118V24M338 118V24" />
    <rect class="free" x="139" y="26" width="82" height="92" rx="12" />
    <path class="sign" d="M171 94V50h13a14 14 0 0 1 0 28h-13" />
    <Car x={47} y={30} kind="parked" />
    <Car x={257} y={30} kind="parked" />
    <path class="way" d="M180 160v-26m-9 9l9-9 9 9" />
    <Car x={152} y={168} kind="coming" />
  </svg>
);

interface CarProperties {
  readonly x: number;
  readonly y: number;
  readonly kind: "parked" | "coming";
}

/** Seen from above. */
const Car = ({ x, y, kind }: CarProperties) => (
  <g class={kind} transform={`translate(${x} ${y})`}>
    <rect width="56" height="84" rx="16" />
    <path class="glass" d="M9 30q19-14 38 0l-5 11H14zM13 66h30l3 8q-18 7-36 0z" />
  </g>
);
