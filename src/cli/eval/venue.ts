import type { RunConfig } from "../../domain/config/run-config.ts";
import { imageOf } from "../../environments/docker-image.ts";
import type { InstanceSpec } from "../../eval/batch/episode-spec.ts";
import { chooseEnvironment, type Kind } from "../choose-environment.ts";

/** Where the commands of an instance run. */
export interface Venue {
  readonly kind: Kind;
  /** null: it brings its repository. */
  readonly image: string | null;
}

/** The image that commands run in; null: they run on this machine. */
export const imageIn = ({ kind, image }: Venue) => (kind === "docker" ? image : null);

export type FindVenue = (
  instance: Pick<InstanceSpec, "row" | "repository">,
  environment: RunConfig["environment"],
) => Promise<Venue>;

/** Finds the venues of many instances; whether bubblewrap works is tried once. */
export function venueFinder(): FindVenue {
  let tried: Promise<Kind> | null = null;
  return async ({ row, repository }, environment) => {
    const image = environment.image ?? (repository === null ? imageOf(row) : null);
    if (environment.kind !== null || image !== null) {
      return { kind: await chooseEnvironment(environment, image), image };
    }
    tried ??= chooseEnvironment(environment, image);
    return { kind: await tried, image };
  };
}
