/** What a router of Express is asked to serve. */
interface Registered {
  readonly path: unknown;
  readonly methods: Readonly<Record<string, unknown>>;
}

/** The prototype of all routers: `express.Router.prototype`. */
interface RouterPrototype {
  route(path: unknown): Registered;
}

export interface RouteTable {
  /** Every route that was registered since, with its parameters as `{}`. */
  routes(): { readonly method: string; readonly path: string }[];
  restore(): void;
}

/** Records the routes that routers of Express are given from now on: a new one is in the table without being listed. */
export function recordRoutes(prototype: object): RouteTable {
  const routers = prototype as RouterPrototype;
  const route = routers.route;
  const registered: Registered[] = [];
  routers.route = function record(this: unknown, path: unknown) {
    const made = route.call(this as RouterPrototype, path);
    registered.push(made);
    return made;
  };
  return {
    routes: () =>
      registered.flatMap(({ path, methods }) =>
        Object.keys(methods)
          .filter((name) => name !== '_all')
          .map((name) => ({
            method: name.toUpperCase(),
            path: String(path).replaceAll(/\{?[:*]\w+\}?/g, '{}'),
          })),
      ),
    restore: () => void (routers.route = route),
  };
}
