"""Which statements claim which part of the library, and the faults that are made there.

A part is a function. `CLAIMS` names the statements that must notice what is wrong with it. `BY_HAND` adds faults that
no rule makes."""

# ruff: noqa: E501 (the names of faults are lines of code)

from __future__ import annotations

CLAIMS: dict[str, dict[str, str]] = {  # module: the names of its functions: the statements that claim them
    "firstorder/perceptron": {
        "perceptron augmented": "M8 L9 L13 L5",
        "PerceptronRun._sums PerceptronRun.path": "M8 L13 L5",
        "PerceptronRun.errors PerceptronRun.pocket": "L9 L13 L5",
        "radius_and_margin": "M8",
    },
    "firstorder/subgradient": {"batch_descent": "L6", "sgd": "L7", "_descend": "L6 L7"},
    "generalisation/compression": {"compression_bound max_support_vectors fewest_points": "G1"},
    "generalisation/hull_margins": {"hull_margins": "G2 G6"},
    "generalisation/labellings": {
        "margins swept_margins": "G2 G3 G6 G7 G8 G10",
        "labellings Labelling.separable": "G7",
    },
    "generalisation/radon": {"circuits _null": "G7"},
    "generalisation/risk": {"enough_points risk_bound risk_lambda": "G4"},
    "generalisation/shattering": {
        "corrected_bound printed_bound shattering_margin": "G2",
        "needed_ratio shattered _ratio": "G2 G6",
        "least_margins _to_segments": "G2 G3 G7 G8",
        "side_lengths circumradii smallest_balls triples": "G2 G3 G8",
        "triple_margin": "G7",
    },
    "kernels/features/gaussian_definiteness": {"_gram DefinitenessProof.least_eigenvalue": "K11"},
    "kernels/features/gaussian_series": {
        "gaussian_factors": "K6",
        "_powers _squares gaussian_remainder _log_factorials": "K7",
    },
    "kernels/features/orthogonal_complement": {"orthogonal_part span_basis": "K8"},
    "kernels/features/polynomial_features": {
        "_exponents monomial_count monomial_weights": "K1 K2 K3",
        "_ordered_products gram_ranks _ranks_modulo": "K2",
        "features_cost kernel_cost": "K3",
        "ordered_product_count ordered_product_features": "K1 K2",
        "weighted_features monomial_features": "K1 K3",
    },
    "kernels/features/random_fourier": {"RandomFeatures.__call__ random_features random_deviation": "K7"},
    "kernels/monomials": {"monomials": "K1 K2 K3 K10"},
    "kernels/standard": {
        "Gaussian._values": "K6 K7 K11 G5 G6 G9",
        "Linear._values Linear.feature_map": "K1 H1 H2 S1 M6 S6",
        "Polynomial._values": "K1 K2 K10",
        "Sigmoid._values": "K12",
    },
    "losses/classical_methods": {
        "lasso proximal": "L5",
        "least_squares": "L5 L14",
    },
    "losses/fewest_errors": {
        "fewest_errors _left_side": "L4 L9 L15",
    },
    "losses/loss": {
        "Cornered.slopes Cornered.value Loss.slopes Loss.value": "L1 L2 L3 L5 L10 L11",
        "Exponential.smoothed Logistic.smoothed Squared.smoothed Sigmoid.smoothed _sigma": "L1 L2 L3 L12",
        "Cornered.smoothed": "L5 L8 L10 L14",
        "zero_one_loss": "L1 L4 L15 L16",
    },
    "losses/objective": {"Objective.value Objective.gradient Objective.margins": "L5 L8 L10 L11 L14"},
    "losses/regulariser": {
        "R1.value R2.value R1.smoothed R2.smoothed": "L5 L8 L10 L11 L14",
        "p_norm": "L8",
    },
    "multiclass/classes": {"Classes.one_vs_rest Classes.classes predict_largest LargestPredicts.predict": "X1"},
    "multiclass/one_vs_rest": {"OneVsRestSolution.decision": "X1"},
    "multiclass/problem": {"MulticlassProblem.binary_problem": "X1"},
    "pegasos/bounds": {
        "harmonic repaired_factor printed_factor regret_bound": "P6 P7 P14",
        "gap_bound printed_gap_bound sharp_gap_bound": "P7",
    },
    "pegasos/estimate": {"estimate outcomes _z": "P5"},
    "pegasos/kernel_run": {"replay_kernel _run_steps _steps": "P9"},
    "pegasos/linear_run": {"run_linear run_steps _steps _inner": "P1 P2 P6 P7 P8 P11"},
    "pegasos/rates": {"rate": "P12", "steps_for_bound": "P7 P15"},
    "pegasos/replay_steps": {"replay": "P1 P2 P3 P13", "comparator_loss": "P6", "mean_objective": "P8"},
    "pegasos/sampling": {"draws uniforms": "P5 P7"},
    "pegasos/step_rule": {
        "Rule.divisor Rule.sigma Rule.mu": "P1 P2 P6 P7 P10",
        "Rule.radius": "P3",
        "objective": "P5 P7 P11 L6",
        "largest_norm": "P7",
    },
    "regression/fit": {"Fit.residuals Fit.xi Fit.xi_star Fit.objective Fit.beta": "X2"},
    "regression/tube": {"Tube._dual Tube._primal Tube.constant_fit_eps Tube.gram": "X2"},
    "binary/problem": {
        "Problem.from_lambda Problem.lam": "S2 P6 P7 P11 S9",
        "Problem._primal": "S17 H14",
        "Problem._dual": "H14 H15",
        "Problem.gram Problem.bounds": "H2 S1 S6 S17",
    },
    "binary/expansion": {
        "KernelExpansion.decision DecisionFunction.constant_parts": "M1 M14 H8 K10 X1",
        "KernelExpansion._expansion_at_points DecisionFunction.expansion_at_points": "M2 M3 M4 M12 S10 L9",
        "KernelExpansion.at_bound KernelExpansion.free KernelExpansion.support": "S5 S7 G9 X2",
        "KernelExpansion.norm_w DecisionFunction.w DecisionFunction.squared_norm": "M5 M6 M7 H1 H12 G6 S1 X2",
    },
    "binary/solution": {
        "Solution.margins": "M2 M3 M4 M12 S10 L9",
        "Solution.objective Solution.dual_objective Solution.xi": "G0 G1 G4 P7 P11 S1",
    },
}

BY_HAND: tuple[tuple[str, str, str, str, str], ...] = (  # module, function, what stands there, what is put there, ids
    # pairings, classes and ties
    ("multiclass/classes", "Classes.one_vs_rest", "self.y == k, 1.0", "self.y >= k, 1.0", "X1"),
    ("multiclass/classes", "Classes.one_vs_rest", "self.y == k, 1.0", "self.y == self.classes[0], 1.0", "X1"),
    ("multiclass/classes", "Classes.one_vs_rest", "self.y == k, 1.0", "(self.y == k) | (self.y == 3), 1.0", "X1"),
    ("multiclass/classes", "predict_largest", "(f >= f.max(1, keepdims=True) - noise)", "(-f)", "X1"),
    ("multiclass/one_vs_rest", "OneVsRestSolution.decision", "for solution in self.machines", "for solution in self.machines[::-1]", "X1"),
    # descents
    ("firstorder/subgradient", "batch_descent", "h = 1.0 / r if", "h = r**-0.5 if", "L6"),
    ("firstorder/subgradient", "batch_descent", "h * (inside @ signed)", "1.1 * h * (inside @ signed)", "L6"),
    ("firstorder/subgradient", "sgd", "weight = 1.0 / lam if", "weight = 0.9 / lam if", "L7"),
    ("firstorder/perceptron", "PerceptronRun.path", "return frozen(self._sums", "return frozen(-self._sums", "M8"),
    ("firstorder/perceptron", "perceptron", "g <= 0", "g < 0", "M8 L13"),
    # Pegasos
    ("pegasos/sampling", "draws", "return (uniforms(seed, run, start, stop) * m).astype(np.intp)", "return np.arange(start, stop) % m", "P5"),
    ("pegasos/sampling", "draws", "if replace:", "if False:", "P5"),
    ("pegasos/sampling", "draws", "return (uniforms(seed, run, start, stop) * m).astype(np.intp)", "return (uniforms(seed, run, start // 2, stop // 2 + 1).repeat(2)[start % 2 :][: stop - start] * m).astype(np.intp)", "P5"),
    ("pegasos/sampling", "draws", "stop) * m)", "stop) ** 1.3 * m)", "P5"),
    ("pegasos/bounds", "regret_bound", "(2.0 * lam *", "(1.0 * lam *", "P6 P7"),
    ("pegasos/bounds", "gap_bound", "2.0 * X", "4.0 * X", "P7"),
    ("pegasos/bounds", "sharp_gap_bound", "- 3.0", "- 1.0", "P7"),
    ("pegasos/rates", "steps_for_bound", "return hi", "return 2 * hi", "P7"),
    ("pegasos/rates", "rate", "float(np.polyfit", "0.5 * float(np.polyfit", "P12"),
    ("pegasos/step_rule", "objective", "0.5 * lam", "0.55 * lam", "P5 P7 P11"),
    ("pegasos/replay_steps", "comparator_loss", "+ 0.5 * rule.mu * (w * w).sum(-1, keepdims=True)", "", "P6"),
    ("pegasos/linear_run", "run_steps", "rule.radius if rule.project else", "", "P3"),
    ("pegasos/linear_run", "run_steps", "rule.radius if", "2 * rule.radius if", "P3"),
    ("pegasos/kernel_run", "replay_kernel", "violates=frozen(margin < 1.0, bool)", "violates=frozen(margin < 0.0, bool)", "P9"),
    # features
    ("kernels/features/random_fourier", "RandomFeatures.__call__", "2.0 / self.D", "1.0 / self.D", "K7"),
    ("kernels/features/random_fourier", "random_deviation", "0.5 * K**4", "K**4", "K7"),
    ("kernels/features/random_fourier", "random_features", "(D, d)) / sigma", "(D, d)) * sigma", "K7"),
    # margins, multipliers and the bias
    ("binary/expansion", "KernelExpansion.norm_w", "return float(np.linalg.norm(self.w))", "return 1.001 * float(np.linalg.norm(self.w))", "M5 M6 M7 H1"),
    ("binary/solution", "Solution.noise", "return ", "return 1e6 * ", "S6 H4"),
    ("binary/solution", "Solution.objective", "0.5 *", "0.55 *", "P7 P11 S1 G0"),
    ("binary/problem", "Problem.lam", "1.0 / ", "2.0 / ", "S2 S9"),
    ("binary/problem", "Problem.from_lambda", "lam *", "2 * lam *", "P7 P11 S9"),
    # bounds of generalisation
    ("generalisation/compression", "compression_bound", "math.log(1 / delta)) / m", "math.log(1 / delta)) / (9 * m)", "G1"),
    ("generalisation/compression", "compression_bound", "left + math.sqrt", "left + 3 * math.sqrt", "G1"),
    ("generalisation/compression", "fewest_points", "return m", "return m + 1", "G1"),
    ("generalisation/risk", "risk_bound", "r * B *", "3 * r * B *", "G4"),
    ("generalisation/risk", "risk_lambda", "r / B", "B / r", "G4"),
    ("generalisation/risk", "enough_points", "8 *", "4 *", "G4"),
    ("generalisation/shattering", "corrected_bound", "+ 1 if", "+ 2 if", "G2"),
    ("generalisation/shattering", "corrected_bound", "math.ceil(ratio * (1 - SLACK)) + 1", "math.ceil(ratio * (1 - SLACK)) + 2", "G2"),
    ("generalisation/shattering", "corrected_bound", "math.ceil", "math.floor", "G2"),
    ("generalisation/shattering", "shattered", "return k", "return k - 1", "G2"),
    ("generalisation/shattering", "needed_ratio", "/ k**2", "/ k", "G2 G6"),
    ("generalisation/resampling", "solve_without", "data.kept(~rows)", "data.kept(~np.roll(rows, 1))", "G4"),
    ("generalisation/resampling", "_cross_validate", "rows, full_solution)", "~rows, full_solution)", "G4"),
    ("generalisation/resampling", "_cross_validate", "other.decision", "full_solution.decision", "G4"),
    # regression
    ("regression/tube", "Tube.constant_fit_eps", "self.data.half_range if", "2 * self.data.half_range if", "X2"),
    ("regression/fit", "Fit.objective", "return 0.5 *", "return 0.51 *", "X2"),
    # the counts of multiplications
    ("statements/multiplication_counts", "Counter.__call__", "+= 1", "+= 2", "X3"),
    ("statements/multiplication_counts", "exponent", "small))", "small)) / 1.2", "X3"),
)  # fmt: skip

UNCHANGED: dict[str, str] = {  # the name of a fault: why it changes nothing that a statement says
    'binary/problem:Problem.bounds: if self.costs == EQUAL_COSTS and self.weights is None:: == -> !=': 'Only class costs and weights have other bounds, and no statement is about them.',
    'binary/problem:Problem.bounds: if self.costs == EQUAL_COSTS and self.weights is None:: self.costs == EQUAL_COSTS and self.weights is None -> (not (self.costs == EQUAL_COSTS and self.weights is None))': 'Only class costs and weights have other bounds, and no statement is about them.',
    'firstorder/subgradient:sgd: weight = 1.0: 1.0 -> 1.1': 'Only the updates as the slides print them use it, and these converge elsewhere in any case.',
    'generalisation/hull_margins:hull_margins: G = K - mean[:, None] - mean + mean.mean()  # inner products about the mean: the same distances, less rounding: + -> -': 'It adds one number to all inner products, and the weights of a difference sum to 0.',
    'generalisation/shattering:_to_segments: t = np.clip(((p - a) * segment).sum(axis=1) / np.where(square > 0, square, 1.0), 0.0, 1.0): 1.0 -> 1.1': 'It divides 0 where the segment is a point.',
    'generalisation/shattering:triples: return frozen(np.argwhere((i < j) & (j < k)), np.intp): < -> >=': 'Every triple occurs still, some of them twice or with equal corners.',
    'losses/objective:Objective.gradient: gradient = slopes @ self.data.X + self.lam * self.regulariser.smoothed(w, 1e-300)[1]: 1e-300 -> 1.1000000000000002e-300': 'It keeps a width from being 0.',
    'pegasos/bounds:harmonic: asymptotic = np.log(x) + EULER + 1 / (2 * x) - 1 / (12 * x**2) + 1 / (120 * x**4): + -> -': 'The sum to 256 terms is exact, and the rest is below its rounding there.',
    'pegasos/estimate:estimate: size = max(1.0, abs(F), float(np.linalg.norm(data.X, axis=1).max() * np.linalg.norm(w))): 1.0 -> 1.1': 'It only turns rounding into 0.',
    'pegasos/estimate:_z: if abs(mean) <= 1e-12 * scale:: 1e-12 -> 1.1000000000000002e-12': 'It only turns rounding into 0.',
    'pegasos/estimate:outcomes: own_excess = np.maximum(0.0, 1.0 - (z * after).sum(1)) + 0.5 * lam * (after * after).sum(1): 0.5 -> 0.55': 'Only the control reads it.',
    'pegasos/estimate:outcomes: return hinge + 0.5 * lam * (w @ w), own_excess - objective(data, lam, after): - -> +': 'Only the control reads it.',
    'pegasos/estimate:outcomes: after = (1.0 - 1.0 / t) * w + z * (hinge > 0)[:, None] / (lam * t): > -> <=': 'Only the control reads it.',
    'pegasos/linear_run:_steps: if radius < np.inf:: radius < np.inf -> (not (radius < np.inf))': 'Without a projection the radius is infinite, and nothing is scaled.',
    'pegasos/rates:rate: if len(x) < 2 or not (y > 1e-15 * max(1.0, float(np.abs(values).max()))).all():: len(x) < 2 or not (y > 1e-15 * max(1.0, float(np.abs(values).max()))).all() -> (not (len(x) < 2 or not (y > 1e-15 * max(1.0, float(np.abs(values).max()))).all()))': 'It refuses values that rounding hides.',
    'pegasos/rates:steps_for_bound: if hi > 10**18:: > -> <=': 'No board needs so many steps.',
    'generalisation/labellings:labellings: return (*first, *(_opposite(labelling) for labelling in reversed(first))): *first, *(_opposite(labelling) for labelling in reversed(first)) -> *(_opposite(labelling) for labelling in reversed(first)), *first': 'The labellings are the same in another order.',
    'generalisation/radon:circuits: if any(set(smaller) <= set(rows) for smaller in row_sets):: <= -> >': 'More circuits than the smallest ones give the same answers.',
    'generalisation/radon:circuits: for k in range(2, X.shape[1] + 3):: X.shape[1] + 3 -> (X.shape[1] + 3) + 1': 'Larger sets than d + 2 points contain a smaller circuit.',
    'kernels/features/gaussian_series:gaussian_remainder: return float(_squares(r / sigma, _degree_without_tail(r, N, sigma))[N + 1 :][::-1].sum()): -1 -> 1': 'The order of the sum decides only its rounding.',
    'kernels/features/random_fourier:RandomFeatures.__call__: return math.sqrt(2.0 / self.D) * np.cos(as_points(X, self.W.shape[1]) @ self.W.T + self.c): + -> -': 'The phases are uniform, with either sign.',
    'kernels/features/random_fourier:random_features: np.random.Generator(np.random.Philox(key=np.array([seed, k], dtype=np.uint64))) for k in (STREAM, STREAM + 1): 1 -> 2': 'The phases are other random numbers of the same kind.',
    'kernels/features/orthogonal_complement:orthogonal_part: return V - V @ basis.T @ basis: - -> +': 'The second projection only removes the rounding of the first.',
    'kernels/features/polynomial_features:_exponents: return tuple(sorted(unsorted, key=lambda a: (sum(a), tuple(-k for k in a)))): -k -> k': 'The monomials are the same in another order.',
    'losses/classical_methods:proximal: next_inertia = 0.5 * (1.0 + np.sqrt(1.0 + 4.0 * inertia**2)): 0.5 -> 0.55': 'Another inertia takes other steps to the same minimum.',
    'losses/loss:Loss.slopes: slope = self.smoothed(t, 1.0)[1]: 1.0 -> 1.1': 'A loss without a corner does not use the width.',
    'losses/loss:Loss.value: return self.smoothed(t, 1.0)[0]: 1.0 -> 1.1': 'A loss without a corner does not use the width.',
    'pegasos/sampling:draws: first, last = start // m, -(-stop // m): -stop -> stop': 'Only draws without replacement use it, which no note makes.',
    'binary/problem:Problem._primal: none = np.zeros((0, P.shape[0] if self.hard else P.shape[0] + m)): + -> -': 'The equations are empty, whatever their width is.',
    'binary/problem:Problem._primal: return QP(P, q, A, c, none, np.zeros(0), (*names, *(f"xi{i + 1}" for i in range(m)))): m -> (m) + 1': 'The variables get other names.',
    'losses/regulariser:p_norm: largest = sizes.max(-1, keepdims=True): -1 -> 1': 'The vectors have two axes here.',
    'multiclass/classes:Classes.one_vs_rest: return Dataset(self.X, np.where(self.y == k, 1.0, -1.0), self.ids): 1.0 -> 1.1': 'The sign of a label is read.',
}  # fmt: skip

UNNOTICED: dict[str, str] = {  # what no statement notices, and why; most make checks say that they do not apply
    'binary/expansion:DecisionFunction.w: if self.evaluation.w is not None:: self.evaluation.w is not None -> (not (self.evaluation.w is not None))': 'Without this w the solution has no finite one, and the checks say so.',
    'losses/fewest_errors:fewest_errors: others = np.flatnonzero(~done[i, i + 1 :]) + i + 1: + -> -': 'It tries other pairs of points, and the best line is among those on these boards.',
    'pegasos/rates:steps_for_bound: middle = (lo + hi) // 2: + -> -': 'The search does not end, so the check has no answer.',
    'generalisation/compression:fewest_points: middle = (low + m) // 2: + -> -': 'The search does not end, so the check has no answer.',
    'kernels/features/gaussian_definiteness:_gram: m, width = len(X), -2 * Decimal(sigma) ** 2: -2 -> 2': 'The proof of definiteness does not end, so the check has no answer.',
    'pegasos/kernel_run:replay_kernel: T = int(run.t[-1]): -1 -> 1': 'The run is replayed to its second step only, and the rest is missing.',
    'binary/problem:Problem.lam: return 1.0 / (self.C * self.data.m) if self.data.m else math.nan: self.data.m -> (not (self.data.m))': 'λ is not a number, so every check of it says that it does not apply.',
}  # fmt: skip
