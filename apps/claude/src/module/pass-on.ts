import type { Host, Next } from "./host.ts";

/** In the place of a hook that has thrown: the host goes on as if it were not there. */
export function passOn<Event, Result>(_$: Host, event: Event, next: Next<Event, Result>): Promise<Result> {
  return next(event);
}
