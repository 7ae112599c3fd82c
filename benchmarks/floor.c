/* The floor: the least that a plain C program does for the same numbers.

   One thread, one kernel per measure, no SIMD by hand, nothing shared between measures. Sets are CSR arrays whose rows
   are sorted and without duplicates. Scratch space is given by the caller, filled with zeros. */

#include <stdint.h>
#include <string.h>

typedef struct {
    int64_t rows;
    int64_t columns;
    const int32_t *indptr;
    const int32_t *indices;
    const double *data; /* of sets: not used */
} Csr;

/* A row split into common, missed and false labels. */
typedef struct {
    int32_t *common, *missed, *false_;
    int commons, misses, falses;
} Split;

static void split(const Csr *truth, const Csr *prediction, int64_t row, Split *s) {
    int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
    int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
    s->commons = s->misses = s->falses = 0;
    while (t < t_end || p < p_end) {
        if (p == p_end || (t < t_end && truth->indices[t] < prediction->indices[p]))
            s->missed[s->misses++] = truth->indices[t++];
        else if (t == t_end || prediction->indices[p] < truth->indices[t])
            s->false_[s->falses++] = prediction->indices[p++];
        else {
            s->common[s->commons++] = truth->indices[t++];
            p++;
        }
    }
}

/* Scratch: 3 * columns. */
static Split split_in(int32_t *scratch, const Csr *truth) {
    Split s = {scratch, scratch + truth->columns, scratch + 2 * truth->columns, 0, 0, 0};
    return s;
}

static double mean(double sum, int64_t number) { return number ? sum / (double)number : 0.0; }

/* Micro F: labels that both sides have. */
double micro_f(const Csr *truth, const Csr *prediction) {
    int64_t common = 0;
    for (int64_t row = 0; row < truth->rows; row++) {
        int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
        int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
        while (t < t_end && p < p_end) {
            int32_t a = truth->indices[t], b = prediction->indices[p];
            common += a == b;
            t += a <= b;
            p += b <= a;
        }
    }
    int64_t both = (int64_t)truth->indptr[truth->rows] + prediction->indptr[truth->rows];
    return both ? 2.0 * (double)common / (double)both : 1.0;
}

/* Macro F: the mean over the concepts, 0 for those that do not occur. Scratch: 2 * columns. */
double macro_f(const Csr *truth, const Csr *prediction, int64_t *scratch) {
    int64_t *common = scratch, *both = scratch + truth->columns;
    memset(scratch, 0, 2 * (size_t)truth->columns * sizeof *scratch);
    for (int64_t row = 0; row < truth->rows; row++) {
        int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
        int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
        while (t < t_end && p < p_end) {
            int32_t a = truth->indices[t], b = prediction->indices[p];
            common[a] += a == b;
            t += a <= b;
            p += b <= a;
        }
    }
    for (int32_t at = 0; at < truth->indptr[truth->rows]; at++) both[truth->indices[at]]++;
    for (int32_t at = 0; at < prediction->indptr[truth->rows]; at++) both[prediction->indices[at]]++;
    double sum = 0.0;
    for (int64_t concept = 0; concept < truth->columns; concept++)
        if (both[concept]) sum += 2.0 * (double)common[concept] / (double)both[concept];
    return mean(sum, truth->columns);
}

/* Macro F of resamples: the same with weights, resamples x rows. Scratch: 2 * columns. */
void macro_f_of_resamples(const Csr *truth, const Csr *prediction, const uint8_t *weights, int64_t resamples,
                          int64_t *scratch, double *scores) {
    int64_t *common = scratch, *both = scratch + truth->columns;
    for (int64_t resample = 0; resample < resamples; resample++) {
        const uint8_t *drawn = weights + resample * truth->rows;
        memset(scratch, 0, 2 * (size_t)truth->columns * sizeof *scratch);
        for (int64_t row = 0; row < truth->rows; row++) {
            const int64_t weight = drawn[row];
            if (!weight) continue;
            int32_t t = truth->indptr[row], t_end = truth->indptr[row + 1];
            int32_t p = prediction->indptr[row], p_end = prediction->indptr[row + 1];
            for (int32_t at = t; at < t_end; at++) both[truth->indices[at]] += weight;
            for (int32_t at = p; at < p_end; at++) both[prediction->indices[at]] += weight;
            while (t < t_end && p < p_end) {
                int32_t a = truth->indices[t], b = prediction->indices[p];
                if (a == b) common[a] += weight;
                t += a <= b;
                p += b <= a;
            }
        }
        double sum = 0.0;
        for (int64_t concept = 0; concept < truth->columns; concept++)
            if (both[concept]) sum += 2.0 * (double)common[concept] / (double)both[concept];
        scores[resample] = mean(sum, truth->columns);
    }
}

/* Confusion matrix of Krstinić et al. 2020, Algorithm 1. The last row and column are `unknown`: the label of an empty
   set. Matrix: (columns + 1) squared, zeros. Scratch: 3 * (columns + 1). */
void krstinic(const Csr *truth, const Csr *prediction, double *matrix, int32_t *scratch) {
    const int64_t width = truth->columns + 1;
    const int32_t unknown = (int32_t)truth->columns;
    Split s = {scratch, scratch + width, scratch + 2 * width, 0, 0, 0};
    for (int64_t row = 0; row < truth->rows; row++) {
        split(truth, prediction, row, &s);
        int no_truth = s.commons + s.misses == 0, no_prediction = s.commons + s.falses == 0;
        if (no_truth && no_prediction) s.common[s.commons++] = unknown;
        else if (no_truth) s.missed[s.misses++] = unknown;
        else if (no_prediction) s.false_[s.falses++] = unknown;
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        double diagonal = s.falses && !s.misses ? (double)true_size / predicted_size : 1.0;
        for (int i = 0; i < s.commons; i++) matrix[s.common[i] * width + s.common[i]] += diagonal;
        if (s.misses && s.falses) {
            for (int i = 0; i < s.misses; i++)
                for (int j = 0; j < s.falses; j++) matrix[s.missed[i] * width + s.false_[j]] += 1.0 / s.falses;
        } else if (s.misses) {
            for (int i = 0; i < s.misses; i++)
                for (int j = 0; j < s.commons; j++) matrix[s.missed[i] * width + s.common[j]] += 1.0 / predicted_size;
        } else {
            for (int i = 0; i < s.commons; i++)
                for (int j = 0; j < s.falses; j++) matrix[s.common[i] * width + s.false_[j]] += 1.0 / predicted_size;
        }
    }
}

/* Micro F of the labels and all that is above them. Ancestors: labels x members. Scratch: ancestors->columns. */
double hierarchical_f(const Csr *truth, const Csr *prediction, const Csr *ancestors, int64_t *seen) {
    int64_t common = 0, both = 0;
    for (int64_t row = 0; row < truth->rows; row++) {
        const int64_t true_ = 2 * row + 1, predicted = 2 * row + 2;
        for (int32_t at = truth->indptr[row]; at < truth->indptr[row + 1]; at++) {
            int32_t label = truth->indices[at];
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t member = ancestors->indices[up];
                both += seen[member] != true_;
                seen[member] = true_;
            }
        }
        for (int32_t at = prediction->indptr[row]; at < prediction->indptr[row + 1]; at++) {
            int32_t label = prediction->indices[at];
            for (int32_t up = ancestors->indptr[label]; up < ancestors->indptr[label + 1]; up++) {
                int32_t member = ancestors->indices[up];
                common += seen[member] == true_;
                both += seen[member] != predicted;
                seen[member] = predicted;
            }
        }
    }
    return both ? 2.0 * (double)common / (double)both : 1.0;
}

/* Rules between labels, already inherited by what lies below. */
typedef struct {
    const uint8_t *excludes; /* labels x labels; NULL: no rules at all */
    const Csr *needs;        /* labels x requirements: those that a label has */
    const uint8_t *meets;    /* requirements x labels: the labels that meet it */
} Rules;

static int breaks(const Rules *rules, int32_t label, const int32_t *others, int number, int64_t labels) {
    if (!rules->excludes) return 0;
    for (int i = 0; i < number; i++)
        if (rules->excludes[label * labels + others[i]]) return 1;
    for (int32_t at = rules->needs->indptr[label]; at < rules->needs->indptr[label + 1]; at++) {
        const uint8_t *meets = rules->meets + rules->needs->indices[at] * labels;
        int met = 0;
        for (int i = 0; i < number && !met; i++) met = meets[others[i]];
        if (!met) return 1;
    }
    return 0;
}

static double nearest_in(const double *costs, const int32_t *others, int number) {
    double least = 1.0;
    for (int i = 0; i < number; i++)
        if (costs[others[i]] < least) least = costs[others[i]];
    return least;
}

static double of_sample(double charged, int true_size, int predicted_size, int common) {
    int together = true_size + predicted_size - common;
    if (!together) return 1.0;
    if (!predicted_size) return 0.0;
    double score = 1.0 - charged / together;
    return score < 1e-12 ? 0.0 : score;
}

/* The ontology score of Nowak and Lukashevich 2009, every label fully agreed on, with a table of all costs.
   Scratch: 3 * columns. */
double ontology_score(const Csr *truth, const Csr *prediction, const double *costs, const Rules *rules,
                      int32_t *scratch) {
    const int64_t labels = truth->columns;
    double sum = 0.0;
    Split s = split_in(scratch, truth);
    for (int64_t row = 0; row < truth->rows; row++) {
        const int32_t *true_ = truth->indices + truth->indptr[row];
        const int32_t *predicted = prediction->indices + prediction->indptr[row];
        split(truth, prediction, row, &s);
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        double charged = 0.0;
        for (int i = 0; i < s.falses; i++)
            charged += breaks(rules, s.false_[i], predicted, predicted_size, labels)
                           ? 1.0
                           : nearest_in(costs + s.false_[i] * labels, true_, true_size);
        for (int i = 0; i < s.misses; i++)
            charged += nearest_in(costs + s.missed[i] * labels, predicted, predicted_size);
        sum += of_sample(charged, true_size, predicted_size, s.commons);
    }
    return mean(sum, truth->rows);
}

/* The cheapest way up from some labels to each concept, and from there down to some others. */
static void mark(const Csr *upward, const int32_t *labels, int number, int64_t stamp, int64_t *seen, double *least) {
    for (int i = 0; i < number; i++) {
        for (int32_t up = upward->indptr[labels[i]]; up < upward->indptr[labels[i] + 1]; up++) {
            int32_t concept = upward->indices[up];
            if (seen[concept] != stamp || upward->data[up] < least[concept]) least[concept] = upward->data[up];
            seen[concept] = stamp;
        }
    }
}

static double over(const Csr *upward, const int32_t *labels, int number, int64_t stamp, const int64_t *seen,
                   const double *least) {
    double charged = 0.0;
    for (int i = 0; i < number; i++) {
        double cost = 1.0;
        for (int32_t up = upward->indptr[labels[i]]; up < upward->indptr[labels[i] + 1]; up++) {
            int32_t concept = upward->indices[up];
            if (seen[concept] == stamp && upward->data[up] + least[concept] < cost)
                cost = upward->data[up] + least[concept];
        }
        charged += cost;
    }
    return charged;
}

/* The same without a table and without rules: the nearest label is found over the common ancestors.
   Upward: labels x concepts, the cost of the cheapest way up. Scratch: 3 * columns; seen and least: upward->columns. */
double ontology_score_by_paths(const Csr *truth, const Csr *prediction, const Csr *upward, int32_t *scratch,
                               int64_t *seen, double *least) {
    double sum = 0.0;
    Split s = split_in(scratch, truth);
    for (int64_t row = 0; row < truth->rows; row++) {
        split(truth, prediction, row, &s);
        int true_size = s.commons + s.misses, predicted_size = s.commons + s.falses;
        mark(upward, truth->indices + truth->indptr[row], true_size, 2 * row + 1, seen, least);
        double charged = over(upward, s.false_, s.falses, 2 * row + 1, seen, least);
        mark(upward, prediction->indices + prediction->indptr[row], predicted_size, 2 * row + 2, seen, least);
        charged += over(upward, s.missed, s.misses, 2 * row + 2, seen, least);
        sum += of_sample(charged, true_size, predicted_size, s.commons);
    }
    return mean(sum, truth->rows);
}
