//! Names of other codes and of textbooks for keys of scene files.
//!
//! Sources: LAMMPS (`pair_style granular`, `fix wall/gran`), LIGGGHTS, YADE, MercuryDPM and the usual
//! symbols. A name is listed only if it means the same quantity: a diameter is not a radius.

/// Names of other codes, in lower case with `_` between parts, and the keys of Esker, the best match first.
const SYNONYMS: &[(&[&str], &[&str])] = &[
    // parameters of pairs
    (
        &[
            "mu",
            "xmu",
            "mu_d",
            "coulomb",
            "friction_coefficient",
            "coefficient_of_friction",
            "coefficientfriction",
        ],
        &["friction"],
    ),
    (&["mu_s", "mus", "static_friction_coefficient"], &["static", "static_friction", "friction"]),
    (
        &["mu_k", "muk", "dynamic_friction_coefficient", "kinetic_friction"],
        &["dynamic", "dynamic_friction", "friction"],
    ),
    (
        &[
            "mu_r",
            "mur",
            "mu_roll",
            "rolling_resistance",
            "rolling_resistance_coefficient",
            "coefficientrollingfriction",
        ],
        &["rolling_friction", "rolling"],
    ),
    (
        &[
            "e",
            "en",
            "e_n",
            "cor",
            "coeff_rest",
            "restitution_coefficient",
            "coefficient_of_restitution",
            "coefficientrestitution",
        ],
        &["restitution"],
    ),
    (
        &["kn", "k_n", "normal_spring", "spring_constant", "stiffness"],
        &["normal_stiffness", "contact_modulus"],
    ),
    (&["zeta", "xi", "gamman", "gamma_n", "critical_damping"], &["damping_ratio", "damping"]),
    // materials
    (
        &[
            "e_modulus",
            "youngs_modulus",
            "youngsmodulus",
            "young",
            "young_s_modulus",
            "elastic_modulus",
        ],
        &["young_modulus"],
    ),
    (&["e", "y"], &["young_modulus"]),
    (&["nu", "poisson", "poissons_ratio", "poissonsratio", "poisson_s_ratio"], &["poisson_ratio"]),
    (&["rho", "mass_density"], &["density"]),
    // time
    (&["dt", "timestep", "time_step", "delta_t"], &["step", "time"]),
    (
        &["verlet", "velocity_verlet", "leapfrog", "leap_frog", "nve", "nve_sphere"],
        &["velocity-verlet"],
    ),
    (&["euler", "semi_implicit_euler"], &["symplectic-euler"]),
    (&["rk45", "runge_kutta", "dopri"], &["rkf45"]),
    (&["t_end", "tmax", "end_time", "duration", "runtime"], &["after", "end", "stages"]),
    // laws
    (
        &["hooke", "hookean", "linear_spring", "linear_spring_dashpot", "lsd"],
        &["linear", "spring-dashpot"],
    ),
    (&["hertzian", "hertz_mindlin", "hertz_material"], &["hertz", "mindlin"]),
    (&["mindlin_deresiewicz", "mindlin_rescale", "linear_history"], &["mindlin"]),
    (&["tsuji"], &["hertz"]),
    (&["epsd", "epsd2", "sds"], &["elastic-plastic"]),
    (&["cdt"], &["constant-torque"]),
    (&["jkr", "sjkr", "dmt"], &["adhesion"]),
    (&["bpm", "parallel_bond", "cohesive_bond"], &["bond"]),
    (&["capillary", "liquid", "pendular"], &["liquid-bridge"]),
    (&["vdw", "hamaker"], &["van-der-waals", "hamaker_constant"]),
    // particles and walls
    (&["spheres", "atoms", "grains", "bodies"], &["particles"]),
    (&["geometry", "boundaries", "planes", "facets"], &["walls"]),
    (&["plane", "xplane", "yplane", "zplane", "infinite_plane", "infinite_wall"], &["half-space"]),
    (&["stl", "obj", "trimesh", "surface"], &["mesh"]),
    (&["plate", "quad"], &["rectangle"]),
    (&["n", "number", "ntotal", "particlerate", "n_particles"], &["count", "rate"]),
    (&["r", "rad"], &["radius"]),
    (&["v", "vel", "v0"], &["velocity"]),
    (&["omega", "w", "angular_velocity", "ang_vel"], &["spin", "rate"]),
    (&["rpm", "rps", "revolutions_per_second"], &["turns_per_second"]),
    (&["x", "pos", "centre", "coordinates"], &["position", "center", "point"]),
    (&["g"], &["gravity"]),
    (&["boundary", "periodicity"], &["periodic", "domain"]),
    (&["box", "simulation_box", "region"], &["domain"]),
    // outputs
    (&["dump", "vtk", "snapshots"], &["frames"]),
    (&["thermo", "energies"], &["energy"]),
    (&["restart", "save"], &["checkpoint"]),
    (&["interval", "period", "freq", "every_time"], &["every"]),
];

/// The name of a list that corresponds to this name of another code.
pub(super) fn of<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let word = word.to_lowercase().replace('-', "_");
    let ours = SYNONYMS.iter().filter(|(others, _)| others.contains(&word.as_str()));
    ours.flat_map(|(_, ours)| ours.iter())
        .find_map(|ours| words.iter().find(|known| *known == ours).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_other_codes_find_ours_where_it_is_known() {
        assert_eq!(of("mu", &["friction", "restitution"]), Some("friction"));
        assert_eq!(of("Kn", &["normal_stiffness"]), Some("normal_stiffness"));
        assert_eq!(of("plane", &["disc", "half-space"]), Some("half-space"));
        assert_eq!(of("dt", &["integrator", "step"]), Some("step"));
        assert_eq!(of("E", &["density", "young_modulus"]), Some("young_modulus"));
        assert_eq!(of("velocity_verlet", &["velocity-verlet"]), Some("velocity-verlet"));
        // not a key here
        assert_eq!(of("mu", &["density", "young_modulus"]), None);
    }

    #[test]
    fn no_word_of_ours_is_a_foreign_one_for_itself() {
        for (others, ours) in SYNONYMS {
            assert!(others.iter().all(|word| !ours.contains(word)), "{ours:?}");
        }
    }
}
